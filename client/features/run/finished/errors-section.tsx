import type { ShownBlock, ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { pointInWords } from '../../../../shared/words/at-load-words.ts';
import { dropAdvice } from '../../../../shared/words/drop-advice.ts';
import { Card } from '../../../components/card.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Fold } from '../../../components/fold.tsx';
import { printCount } from '../../../format/count.ts';
import { ErrorTable } from '../error-table.tsx';

export function ErrorsSection({ document, open = false }: { document: ShownRun; open?: boolean }) {
  const { errors, blocks } = document;
  const dropped = blocks.filter(({ reasons }) => reasons.length > 0);
  const failed = errors.reduce((sum, { count }) => sum + count, 0);
  return (
    <Fold id="errors" title="Errors" lead={leadOf(failed, dropped.length, blocks.length)} open={open}>
      {errors.length === 0 ? null : (
        <Card flush>
          <ErrorTable groups={errors} />
        </Card>
      )}
      {dropped.length === 0 ? null : (
        <Card flush>
          <DataTable
            caption="Blocks left out"
            text
            rows={dropped}
            keyOf={({ index }) => index}
            columns={[
              { label: 'Block', cell: ({ index }) => `Block\u00a0${index + 1}` },
              { label: 'Measured', cell: ({ kind }) => pointInWords[kind] },
              { label: 'Left out of', cell: ({ reasons }) => spoiledBy(reasons) },
              {
                label: 'Left out because',
                cell: ({ reasons }) => reasons.map(({ message }) => message).join(' '),
              },
              {
                label: 'What helps',
                cell: ({ reasons }) => [...new Set(reasons.map(({ code }) => dropAdvice[code]))].join(' '),
              },
            ]}
          />
        </Card>
      )}
    </Fold>
  );
}

/** `everything`, or the groups of metrics. */
function spoiledBy(reasons: ShownBlock['reasons']): string {
  const groups = [...new Set(reasons.map(({ spoils }) => spoils))];
  return groups.includes('all') ? 'everything' : groups.join(', ');
}

function leadOf(failed: number, dropped: number, blocks: number): string {
  if (blocks === 0) return 'No block was measured.';
  const requests = failed === 0 ? 'No request failed.' : `${printCount(failed, 'request')} failed.`;
  if (dropped === 0) return `${requests} All ${printCount(blocks, 'block')} count.`;
  return `${requests} ${dropped} of ${printCount(blocks, 'block')} left out.`;
}
