import { Link } from 'react-router';
import { explainSentences } from '../../../../shared/kinds/explain/explain-sentence.ts';
import { CostGroupTable, type CostRow } from '../../../components/cost-group-table.tsx';
import { FlameFigure } from '../../../components/flame-figure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { served } from '../../../components/served.ts';
import type { ExplainedRun } from './saved-explanation.ts';

export function ExplanationView({ explanation, document }: ExplainedRun) {
  const { groups, problem } = document;
  const [finding = problem?.title ?? 'Too little was measured to say.'] = explainSentences(document);
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
  const run = { title: 'The run measured', words: 'At load, without perf.', ...none, delta };
  if (lab === null) return [run];
  const title = 'The TLS lab predicts, for these handshakes and bytes';
  const words = `${lab.formula}, with the OpenSSL of TLS Toll.`;
  const link = served ? (
    <Link to={`/l/${lab.handshakes}`} title={words}>
      {title}
    </Link>
  ) : undefined;
  return [run, { title, words, ...(link === undefined ? {} : { link }), ...none, delta: lab.us }];
}
