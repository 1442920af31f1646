import type { RunChanges } from '../../../shared/kinds/comparison/result-changes.ts';
import { Badge } from '../../components/badge.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { lookOfChange } from '../../format/change-look.ts';
import { ChangeTable } from './change-table.tsx';
import { ComparedCards } from './compared-cards.tsx';
import { FiguresSection } from './figures-section.tsx';
import { SetupSection } from './setup-section.tsx';
import { Ways } from './ways.tsx';

/** What changed from one run to another: the answer, the two results, differences in their set-up, then the evidence. */
export function ChangedRun({ changes }: { changes: RunChanges }) {
  const { sentence, evidence, metric, metrics, cautions } = changes;
  const row = metrics.find(({ id }) => id === metric);
  const look = row === undefined ? null : lookOfChange(row);
  return (
    <article>
      <PageHead
        tab={look === null ? 'Comparison' : `${look.word}, comparison`}
        title={sentence}
        testId="change"
        above={
          look === null ? null : (
            <Badge tone={look.tone} icon={look.icon}>
              {look.word}
            </Badge>
          )
        }
      >
        {evidence === null ? null : <p>{evidence}</p>}
      </PageHead>
      <ComparedCards changes={changes} />
      <Ways from={changes.from.id} to={changes.to.id} />
      {cautions.map((caution) => (
        <Notice key={caution} tone="warn">
          <p>{caution}</p>
        </Notice>
      ))}
      <SetupSection differences={changes.setup} />
      <ChangeTable metrics={metrics} />
      <FiguresSection changes={changes} />
    </article>
  );
}
