import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { precisionTable } from '../../../../shared/report/run-report.ts';
import { Card } from '../../../components/card.tsx';
import { Fold } from '../../../components/fold.tsx';
import { ReportTable } from '../../../components/sections.tsx';

export function PrecisionSection({ document }: { document: ShownRun }) {
  const table = precisionTable(document);
  if (table.rows.length === 0) return null;
  return (
    <Fold id="precision" title="Precision" lead="what each interval rests on">
      <Card flush>
        <ReportTable of={table} />
      </Card>
    </Fold>
  );
}
