import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { Link } from 'react-router';
import { runEndpoints } from '../../../shared/api/session-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import { quantityOf } from '../../../shared/kinds/comparison/metric.ts';
import type { Explanation } from '../../../shared/kinds/comparison/result-changes.ts';
import type { ShownRun } from '../../../shared/kinds/comparison/run.ts';
import type { ExplainDocument } from '../../../shared/kinds/explain/explain.ts';
import { headlineInOneLine, isOver, type ProgressEvent } from '../../../shared/measurement/measurement.ts';
import { explainHeadline, whyNotExplained } from '../../../shared/words/explain-sentence.ts';
import { mayCall } from '../../api/identity.ts';
import { rememberDeleteToken } from '../../api/kept-texts.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { explanationQuery, measurementQuery } from '../../api/result-queries.ts';
import { useMeasurementEvents } from '../../api/use-event-log.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Notice, Section } from '../../components/card.tsx';
import { CostGroupTable, type CostRow, FlameFigure } from '../../components/flame-figure.tsx';
import { served } from '../../components/links.tsx';
import { ProgressBar } from '../../components/progress.tsx';
import { progressText } from '../../format/progress-text.ts';
import { useViewState } from './conclusion.tsx';

/** CPU per transaction by use: measured on demand, and from then on part of the address. */
export function ExplainSection({ document }: { document: ShownRun }) {
  const saved = useContext(SavedExplanation);
  const [{ explain }] = useViewState();
  if (saved !== null) {
    return (
      <Frame>
        <ExplanationView {...saved} />
      </Frame>
    );
  }
  if (!served || (explain === null && !mayCall(runEndpoints.explainRun))) return null;
  return (
    <Frame>
      {explain === null ? (
        <Offer document={document} />
      ) : (
        <Explained key={explain} run={document.id} explain={explain} />
      )}
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <Section id="where-it-goes" title="Where it goes" card="stack">
      {children}
    </Section>
  );
}

function Offer({ document }: { document: ShownRun }) {
  const why = whyNotExplained(document);
  if (why !== null) return <p>{why}</p>;
  return (
    <>
      <p>
        Linux’s perf profiles the server of this run under the same load, and shows what the CPU is spent on.
      </p>
      <Ask run={document.id} action="Explain" />
    </>
  );
}

function Ask({ run, action }: { run: string; action: string }) {
  const [, change] = useViewState();
  const ask = useMutation({
    mutationFn: () => callEndpoint(runEndpoints.explainRun, { params: { id: run } }),
    onSuccess: ({ id, deleteToken }) => {
      rememberDeleteToken(id, deleteToken);
      change({ explain: id });
    },
  });
  return (
    <>
      <ProblemNotice error={ask.error} />
      <div>
        <ActionButton variant="default" pending={ask.isPending} onClick={() => ask.mutate()}>
          {action}
        </ActionButton>
      </div>
    </>
  );
}

type Asked = { run: string; explain: string };

function Explained({ run, explain }: Asked) {
  const measurement = useQuery(measurementQuery(explain));
  const { data, error } = measurement;
  if (error !== null) return <Unknown error={error} />;
  if (data === undefined) return <p>Loading explanation.</p>;
  if (!isOver(data.state)) return <Progress explain={explain} />;
  if (data.kind !== 'explain') return <Result run={run} explain={explain} document={null} />;
  if (data.problem !== null && data.groups.length === 0) {
    return (
      <>
        <ProblemNotice error={problem(data.problem.code, data.problem.detail)} />
        {mayCall(runEndpoints.explainRun) ? <Ask run={run} action="Explain again" /> : null}
      </>
    );
  }
  return <Result run={run} explain={explain} document={data} />;
}

function Progress({ explain }: { explain: string }) {
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState<ProgressEvent | null>(null);
  useMeasurementEvents(explain, 'explain', (batch) => {
    const told = batch.flatMap(({ event }) => (event.type === 'progress' ? [event] : []));
    setProgress((current) => told.at(-1) ?? current);
    const ended = batch.some(({ event }) => event.type === 'end');
    if (ended) void queryClient.invalidateQueries(measurementQuery(explain));
  });
  return (
    <>
      <ProgressBar
        label="Progress of the explanation"
        text={progressText(progress)}
        fraction={progress?.fraction ?? 0}
      />
      <p>
        <Link to={`/l/${explain}`}>Open the explanation</Link>
      </p>
    </>
  );
}

function Result({ run, explain, document }: Asked & { document: ExplainDocument | null }) {
  const { data, error } = useQuery(explanationQuery(run, explain));
  if (error !== null) return <Unknown error={error} />;
  if (data === undefined || document === null) return <p>Comparing the explanation with the run.</p>;
  const isDoubtful = document.state !== 'finished' || data.agrees !== true || data.changes.length > 0;
  return (
    <>
      <ExplanationView explanation={data} document={document} />
      {mayCall(runEndpoints.explainRun) && isDoubtful ? <Ask run={run} action="Explain again" /> : null}
    </>
  );
}

/** Error of an explanation in the address that cannot be shown: it is of another run, or deleted. */
function Unknown({ error }: { error: Error }) {
  const [, change] = useViewState();
  return (
    <>
      <ProblemNotice error={error} />
      <div>
        <Button variant="default" onClick={() => change({ explain: null })}>
          Explain this run
        </Button>
      </div>
    </>
  );
}

function ExplanationView({ explanation, document }: ExplainedRun) {
  const { groups, problem } = document;
  const headline = explainHeadline(document);
  const finding =
    headline === null
      ? (problem?.title ?? 'Too little was measured for a result')
      : headlineInOneLine(headline);
  const { sentence, agrees, changes } = explanation;
  return (
    <>
      <p className="finding" data-testid="explain-sentence">
        {finding}.
      </p>
      {changes.length === 0 ? null : (
        <Notice tone="warn" title="The target or its machine has changed since the run.">
          <ul>
            {changes.map(({ name, from, to }) => (
              <li key={name}>
                {name}: {from} → {to}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {agrees === false ? (
        <Notice tone="warn">
          <p data-testid="explain-agreement">{sentence}</p>
        </Notice>
      ) : (
        <p data-testid="explain-agreement">{sentence}</p>
      )}
      {groups.length === 0 ? null : (
        <>
          <CostGroupTable document={document} others={rowsBeside(explanation)} />
          <FlameFigure document={document} />
        </>
      )}
      {served ? (
        <p>
          <Link to={`/l/${document.id}`}>Open the explanation</Link>
        </p>
      ) : null}
    </>
  );
}

/** The run itself, and what the lab would have said. */
function rowsBeside({ delta, lab }: ExplainedRun['explanation']): CostRow[] {
  const none = { baseline: null, comparison: null };
  const quantity = quantityOf('cpu_at_load');
  const run = { quantity, title: 'The run measured', words: 'At full load, without perf.', ...none, delta };
  if (lab === null) return [run];
  const title = 'The TLS lab predicts, for these handshakes and bytes';
  const words = `${lab.formula}, with the OpenSSL of TLS Toll.`;
  const link = served ? (
    <Link to={`/l/${lab.handshakes}`} title={words}>
      {title}
    </Link>
  ) : undefined;
  return [
    run,
    {
      quantity: 'explain/lab',
      title,
      words,
      ...(link === undefined ? {} : { link }),
      ...none,
      delta: lab.us,
    },
  ];
}

/** An explanation of a run, and how it stands beside the run. */
export type ExplainedRun = { explanation: Explanation; document: ExplainDocument };

/** Explanation saved in a file; null on a server, or without one. */
export const SavedExplanation = createContext<ExplainedRun | null>(null);
