import type { LabDocument } from '../../../shared/lab-document.ts';
import { Badge } from '../../components/badge.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { lookOfState } from '../../format/outcome.ts';
import { printWhen } from '../../format/when.ts';

type Props = {
  document: LabDocument;
  tab: string;
  /** What was found; the first is the headline. */
  sentences: readonly string[];
  /** How much was measured. */
  counts: string;
  takeFocus: boolean;
};

/** The finding in a sentence, or why there is none. */
export function LabHead({ document, tab, sentences, counts, takeFocus }: Props) {
  const { state, problem, createdAt, warnings } = document;
  const [headline, ...more] = sentences;
  const look = lookOfState(state);
  return (
    <>
      <PageHead
        tab={headline === undefined ? look.word : tab}
        title={headline ?? problem?.title ?? 'Nothing was measured'}
        testId="lab-headline"
        takeFocus={takeFocus}
        above={
          <Badge tone={look.tone} icon={look.icon}>
            {look.word}
          </Badge>
        }
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
