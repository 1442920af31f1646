import type { Problem } from '../../shared/base/problem.ts';
import type { MeasurementState } from '../../shared/measurement/measurement.ts';
import { lookOfState } from '../format/outcome.ts';
import { printWhen } from '../format/when.ts';
import { LookBadge } from './badge.tsx';
import { Notice } from './notice.tsx';
import { PageHead } from './page-head.tsx';

type Props = {
  document: { state: MeasurementState; problem: Problem | null; createdAt: number; warnings: string[] };
  tab: string;
  /** What was found; the first is the headline. */
  sentences: readonly string[];
  /** How much was measured. */
  counts: string;
  takeFocus: boolean;
};

/** The finding in a sentence, or why there is none. */
export function ResultHead({ document, tab, sentences, counts, takeFocus }: Props) {
  const { state, problem, createdAt, warnings } = document;
  const [headline, ...more] = sentences;
  const look = lookOfState(state);
  return (
    <>
      <PageHead
        tab={headline === undefined ? look.word : tab}
        title={headline ?? problem?.title ?? 'Nothing was measured'}
        testId="headline"
        takeFocus={takeFocus}
        above={<LookBadge look={look} />}
      >
        {more.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {problem === null ? null : (
          <Notice tone={state === 'failed' ? 'bad' : 'warn'} title={problem.detail}>
            <p>{problem.advice}</p>
          </Notice>
        )}
        <p>
          {counts}, <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
        </p>
      </PageHead>
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          <p>{warning}</p>
        </Notice>
      ))}
    </>
  );
}
