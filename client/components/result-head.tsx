import type { ReactNode } from 'react';
import type { Problem } from '../../shared/base/problem.ts';
import type { MeasurementState } from '../../shared/measurement/measurement.ts';
import { type Look, lookOfState } from '../format/outcome.ts';
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

export function ResultHead({ document, tab, sentences, counts, takeFocus }: Props) {
  const { createdAt, warnings } = document;
  const [headline, ...more] = sentences;
  return (
    <>
      <FindingHead
        document={document}
        tab={tab}
        headline={headline}
        evidence={more.map((sentence) => <p key={sentence}>{sentence}</p>)}
        takeFocus={takeFocus}
      >
        <p>
          {counts}, <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
        </p>
      </FindingHead>
      <Warnings warnings={warnings} />
    </>
  );
}

type FindingProps = Pick<Props, 'tab' | 'takeFocus'> & {
  document: Pick<Props['document'], 'state' | 'problem'>;
  headline: string | undefined;
  look?: Look;
  evidence: ReactNode;
  children: ReactNode;
};

/** The finding in a sentence, or why there is none. */
export function FindingHead({ document, tab, headline, look, evidence, children, takeFocus }: FindingProps) {
  const { state, problem } = document;
  const shown = look ?? lookOfState(state);
  return (
    <PageHead
      tab={headline === undefined ? shown.word : tab}
      title={headline ?? problem?.title ?? 'Nothing was measured'}
      testId="headline"
      takeFocus={takeFocus}
      above={<LookBadge look={shown} />}
    >
      {evidence}
      {problem === null ? null : (
        <Notice tone={state === 'failed' ? 'bad' : 'warn'} title={problem.detail}>
          <p>{problem.advice}</p>
        </Notice>
      )}
      {children}
    </PageHead>
  );
}

export function Warnings({
  warnings,
  tone = 'warn',
}: {
  warnings: readonly string[];
  tone?: 'warn' | 'note';
}) {
  return warnings.map((warning) => (
    <Notice key={warning} tone={tone}>
      <p>{warning}</p>
    </Notice>
  ));
}
