import { shiftOf } from '../../../../shared/base/shift.ts';
import { ciOf } from '../../../../shared/kinds/comparison/comparison.ts';
import { metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { describePrecision, printPlain } from '../../../../shared/words/precision-words.ts';
import { Card } from '../../../components/card.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Fold } from '../../../components/fold.tsx';

export function PrecisionSection({ document }: { document: ShownRun }) {
  const rows = document.metrics.filter(
    (row) => row.precision !== undefined && row.outcome !== 'refused' && shiftOf(row) !== null,
  );
  if (rows.length === 0) return null;
  const ci = ciOf(document.metrics[0] ?? {});
  return (
    <Fold id="precision" title="Precision" lead="what each interval rests on">
      <Card flush>
        <DataTable
          caption={`Each ${ci}, and the one from this run alone`}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { label: 'Metric', cell: ({ id }) => metricOf(id).title },
            { label: ci, cell: (row) => shiftOf(row)?.interval ?? '–' },
            { label: 'This run alone', cell: (row) => printPlain(row) ?? '–' },
            { label: 'Rests on', numeric: false, cell: (row) => describePrecision(row).join(' ') },
          ]}
        />
      </Card>
    </Fold>
  );
}
