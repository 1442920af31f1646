import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { droppedTable, errorTable } from '../../../../shared/report/run-report.ts';
import { Card } from '../../../components/card.tsx';
import { Fold } from '../../../components/fold.tsx';
import { ReportTable } from '../../../components/sections.tsx';
import { printCount } from '../../../format/count.ts';

export function ErrorsSection({ document, open = false }: { document: ShownRun; open?: boolean }) {
  const { errors, blocks } = document;
  const dropped = blocks.filter(({ reasons }) => reasons.length > 0);
  const failed = errors.reduce((sum, { count }) => sum + count, 0);
  return (
    <Fold id="errors" title="Errors" lead={leadOf(failed, blocks)} open={open}>
      {errors.length === 0 ? null : (
        <Card flush>
          <ReportTable of={errorTable(errors)} name="Errors by kind" />
        </Card>
      )}
      {dropped.length === 0 ? null : (
        <Card flush>
          <ReportTable of={droppedTable(document)} name="Blocks left out, all or in part" />
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
