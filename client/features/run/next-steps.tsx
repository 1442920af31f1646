import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { idInText } from '../../../shared/base/addresses.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import { printShare } from '../../../shared/base/quantity.ts';
import { isSameSides } from '../../../shared/base/transport.ts';
import {
  type Length,
  lengthNames,
  lengths,
  longestPauseMs,
} from '../../../shared/kinds/comparison/options.ts';
import { changesPath } from '../../../shared/kinds/comparison/result-changes.ts';
import type { ShownRun } from '../../../shared/kinds/comparison/run.ts';
import { askedSidesOf } from '../../../shared/kinds/comparison/run-request.ts';
import type { MeasurementSummary } from '../../../shared/results/summary.ts';
import { agentTokenName, exporterTokenName } from '../../../shared/target/readings.ts';
import { clientKeyName } from '../../../shared/target/target.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { headlineRowOf } from '../../../shared/words/headline.ts';
import { targetNameOf, titleOfDocument } from '../../../shared/words/side-words.ts';
import { mayCall } from '../../api/identity.ts';
import { starting } from '../../api/late-call.ts';
import { runsTitledQuery } from '../../api/queries.ts';
import type { CreateMeasurement } from '../../api/use-create-measurement.ts';
import { ButtonRow, Waiting } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, secretsIn } from '../../components/form-fields.tsx';
import { type LinkLine, LinkList } from '../../components/links.tsx';
import { type AskedSecret, type Step, StepButtons, trustingRequest } from '../../components/run-buttons.tsx';
import { describeMeasurements } from '../../format/lines.ts';
import { printDuration } from '../../format/printed-figures.ts';
import classes from './run.module.css';

/** Next steps after a run, however it ended; the likeliest first. */
export function NextSteps({ document }: { document: ShownRun }) {
  return (
    <StepButtons steps={nextSteps(document)}>
      {document.state === 'finished' && document.verdict !== null && document.example !== true ? (
        <CompareWith document={document} />
      ) : null}
    </StepButtons>
  );
}

export function nextSteps(document: ShownRun, nowMs = Date.now()): Step[] {
  const { id, plan, problem } = document;
  const to = `/?again=${id}`;
  const scenario = scenarioStep(document);
  const edit = { title: 'Change settings', to };
  if (!mayCall(starting)) return scenario;
  const again = { title: `Run again, ${timeOfRun(document)}`, ...againStep(document) };
  const trusting = trustStep(document);
  if (trusting !== null) return [trusting, edit, ...scenario];
  if (problem !== null && ofTarget.includes(problem.code)) {
    const fix = { title: fixTitle(document), to };
    return problem.code === 'scenario_unfit' ? [...scenario, fix] : [fix, again, ...scenario];
  }
  const further = lengthNames[lengthNames.indexOf(plan.length) + 1];
  const unclear = headlineRowOf(document)?.row.outcome === 'inconclusive';
  const width = unclear && further !== undefined ? widthAfter(document, lengths[further].atMostS) : null;
  const runLonger = further === undefined ? [] : [longerStep(further, width, document)];
  if (!unclear) return [again, ...runLonger, edit, ...scenario];
  const goOn = continueStep(document, nowMs);
  return [...(goOn === null ? runLonger : [goOn]), again, edit, ...scenario];
}

/** The same with the certificate that stood against it; null if none did. */
function trustStep(document: ShownRun): Step | null {
  const { request, asks } = againStep(document);
  const trusting = document.problem === null ? null : trustingRequest(request, document.problem);
  if (trusting === null) return null;
  return { title: `Trust and start, ${timeOfRun(document)}`, request: trusting, asks };
}

/** Time that the run took, or may take at most if it did not finish. */
function timeOfRun({ state, startedAt, endedAt, plan }: ShownRun): string {
  return state === 'finished' && startedAt !== null && endedAt !== null
    ? printDuration((endedAt - startedAt) / 1000)
    : `at most ${printDuration(plan.atMostS ?? lengths[plan.length].atMostS)}`;
}

/**
 * A new run, not a continuation.
 * @param width that it is expected to reach, as a share; null where that is not known
 */
function longerStep(length: Length, width: number | null, document: ShownRun): Step {
  const { request, asks } = againStep(document);
  const reach = width === null ? '' : `: about ±${printShare(width)}`;
  return {
    title: `Start a longer run, at most ${printDuration(lengths[length].atMostS)}${reach}`,
    request: { ...request, length, precision: null, atMostS: null },
    asks,
  };
}

/** Half-width of the interval of a new run of this time; null where it is not known. */
function widthAfter(run: ShownRun, seconds: number): number | null {
  const spread = spreadOf(run);
  if (spread === null) return null;
  const { halfWidth, lastedMs, leftAt } = spread;
  return halfWidth * leftAt(Math.min(1, lastedMs / (1000 * seconds)));
}

/** Null where it is not known. */
function spreadOf({ startedAt, endedAt, verdict, metrics }: ShownRun) {
  const row = metrics.find((each) => each.id === verdict?.metric);
  if (row?.precision === undefined || row.ratio === null || startedAt === null || endedAt === null)
    return null;
  const { withinError, betweenRuns } = row.precision;
  const error = (within: number) => Math.sqrt(within ** 2 + (betweenRuns?.variance ?? 0));
  return {
    ...{ endedAt, lastedMs: endedAt - startedAt, halfWidth: (row.ratio.hi - row.ratio.lo) / 2 },
    /** Part of the half-width that is left where the run is that share of the time. */
    leftAt: (share: number) => error(withinError * Math.sqrt(share)) / error(withinError),
  };
}

/** Null where the run can no longer be continued, or where going on narrows little, because runs differ. */
function continueStep(run: ShownRun, nowMs: number): Step | null {
  const { id, plan } = run;
  const spread = spreadOf(run);
  if (spread === null || nowMs - spread.endedAt > longestPauseMs) return null;
  const seconds = plan.atMostS ?? lengths[plan.length].continuesS;
  const { halfWidth, lastedMs, leftAt } = spread;
  const left = to99 * leftAt(lastedMs / (lastedMs + 1000 * seconds));
  if (left > worthwhile) return null;
  return {
    title: `Run ${printDuration(seconds)} longer: about ±${printShare(halfWidth * left)}`,
    request: { kind: 'comparison', continues: id },
    asks: againStep(run).asks,
  };
}

/** Share of the half-width that is left, above which it is not worth the time. */
const worthwhile = 0.9;

/** An interval at 99 % in widths of one at 95 %, of the normal distribution. */
const to99 = 2.576 / 1.96;

/** Nothing that another run of the same would change. */
const ofTarget: readonly ProblemCode[] = [
  'target_unreachable',
  'tls_not_offered',
  'target_not_permitted',
  'scenario_unfit',
  'not_comparable',
  'target_died',
  'target_errors',
  'rate_too_high',
  'too_many_connections',
];

function fixTitle({ target }: ShownRun): string {
  return factsOf(target).startedHere ? 'Change the settings' : 'Fix the target';
}

function scenarioStep({ revisionId }: ShownRun): Step[] {
  return revisionId === null ? [] : [{ title: 'Open the scenario', to: `/s/${revisionId}` }];
}

type AgainRequest = Extract<CreateMeasurement, { kind: 'comparison' }>;

/** Request that repeats a run, with its certificates, and what must be entered because it is not stored: secrets, tokens, keys. */
export function againStep(document: ShownRun): { request: AgainRequest; asks: AskedSecret[] } {
  const {
    asked: { continues: _, ...asked },
    target,
    scenario,
  } = document;
  const request = {
    ...asked,
    kind: 'comparison' as const,
    target,
    scenario: asked.scenario ?? scenarioOf(document, factsOf(target).scenario, scenario),
  };
  return { request, asks: secretsAsked(document) };
}

/** Null for the one that the target comes with. */
function scenarioOf({ revisionId }: ShownRun, usual: unknown, sent: ShownRun['scenario']) {
  if (typeof usual === 'string' && sent.id === usual) return null;
  if (revisionId !== null) return revisionId;
  return JSON.stringify(usual) === JSON.stringify(sent) ? null : sent;
}

function secretsAsked({ target, asked: { sides }, scenario }: ShownRun): AskedSecret[] {
  const ofScenario = secretsIn(scenario).map((name) => ({ name, label: `Secret ${name}` }));
  if (target.kind !== 'origins') return ofScenario;
  const own = [target, sides.baseline.target, sides.comparison.target];
  const showsCertificate = own.some((each) => each?.clientCertificate !== undefined);
  return [
    ...ofScenario,
    ...(target.agent === undefined ? [] : [{ name: agentTokenName, label: 'Agent token' }]),
    ...(target.prometheus?.bearer === true ? [{ name: exporterTokenName, label: 'Bearer token' }] : []),
    ...(showsCertificate
      ? [{ name: clientKeyName, label: 'Key of the client certificate (PEM)', lines: true }]
      : []),
  ];
}

/** Chooses another run to compare with: one of the same scenario and target, or any other by its ID or link. */
function CompareWith({ document }: { document: ShownRun }) {
  const [open, setOpen] = useState(false);
  if (!mayCall(measurementEndpoints.listMeasurements)) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Compare with…
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Compare with another run">
        <AlikeRuns document={document} />
        <AnyRun id={document.id} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function AlikeRuns({ document }: { document: ShownRun }) {
  const { data: runs, error } = useQuery(runsTitledQuery(titleOfDocument(document)));
  if (error !== null) return <ProblemNotice error={error} />;
  if (runs === undefined) return <Waiting>Loading runs</Waiting>;
  const lines = alikeLines(document, runs);
  if (lines.length === 0) return <p>There is no other run of this scenario on this target yet.</p>;
  return (
    <div className={classes.list}>
      <LinkList label="Runs of this scenario on this target" lines={lines} />
    </div>
  );
}

function AnyRun({ id, onClose }: { id: string; onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  function compare() {
    const other = idInText(text);
    if (other === null) return setProblem('Enter the ID of a run, or its link.');
    if (other === id) return setProblem('This is the run on this page. Enter another one.');
    void navigate(changesPath({ from: other, to: id }));
  }
  return (
    <Form className="stack" noValidate onSubmit={compare}>
      <TextInput
        label="ID or link of another run"
        value={text}
        error={problem}
        maxLength={500}
        spellCheck={false}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setProblem(null);
        }}
      />
      <ButtonRow>
        <Button type="button" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit">Compare</Button>
      </ButtonRow>
    </Form>
  );
}

type Run = Pick<ShownRun, 'id' | 'createdAt' | 'scenario' | 'target' | 'asked' | 'sides'>;

/** Other runs with the same scenario, target and sides. Each line links to the comparison, from the older to the newer run. */
export function alikeLines(
  run: Run,
  summaries: readonly MeasurementSummary[],
  nowMs = Date.now(),
): LinkLine[] {
  const alike = summaries.filter((other) => other.id !== run.id && isAlike(run, other));
  return describeMeasurements(alike, nowMs).map((line, index) => {
    const other = alike[index];
    if (other === undefined) return line;
    const isOlder = other.createdAt <= run.createdAt;
    const pair = isOlder ? { from: other.id, to: run.id } : { from: run.id, to: other.id };
    return { ...line, href: changesPath(pair) };
  });
}

function isAlike(run: Run, other: MeasurementSummary): boolean {
  return (
    other.kind === 'comparison' &&
    other.scenario === run.scenario.name &&
    other.target === targetNameOf(askedSidesOf(run)) &&
    isSameSides(other.sides, run.sides)
  );
}
