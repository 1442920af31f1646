import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { pointInWords } from '../../../../shared/words/at-load-words.ts';
import { dropAdvice, leftOutOf } from '../../../../shared/words/drop-advice.ts';
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
    <Fold id="errors" title="Errors" lead={leadOf(failed, blocks)} open={open}>
      {errors.length === 0 ? null : (
        <Card flush>
          <ErrorTable groups={errors} />
        </Card>
      )}
      {dropped.length === 0 ? null : (
        <Card flush>
          <DataTable
            caption="Blocks left out, all or in part"
            text
            rows={dropped}
            keyOf={({ index }) => index}
            columns={[
              { label: 'Block', cell: ({ index }) => `Block\u00a0${index + 1}` },
              { label: 'Measured', cell: ({ kind }) => pointInWords[kind] },
              { label: 'Left out of', cell: ({ reasons }) => leftOutOf(reasons) },
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

function leadOf(failed: number, blocks: ShownRun['blocks']): string {
  if (blocks.length === 0) return 'No block was measured.';
  const requests = failed === 0 ? 'No request failed.' : `${printCount(failed, 'request')} failed.`;
  const spoiled = blocks.filter(({ reasons }) => reasons.length > 0);
  const out = spoiled.filter(({ reasons }) => reasons.some(({ spoils }) => spoils === 'all')).length;
  const inPart = spoiled.length - out;
  const all = printCount(blocks.length, 'block');
  if (spoiled.length === 0) return `${requests} All ${all} count.`;
  const counts = [
    ...(out === 0 ? [] : [`${out} of ${all} left out`]),
    ...(inPart === 0 ? [] : [`${inPart} of ${all} left out of some metrics`]),
  ];
  return `${requests} ${counts.join(', ')}.`;
}
