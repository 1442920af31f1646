import type { CellResult } from '../../../../shared/kinds/servers/servers-result.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Section } from '../../../components/section.tsx';
import { printInterval, printRatio } from '../../../format/interval.ts';
import { printShare } from '../print-cell.ts';
import { cellMetrics } from './round-changes.ts';

/** What was found over all rounds. */
export function FigureTable({ result }: { result: CellResult }) {
  return (
    <Section
      id="figures"
      title="Figures"
      lead={`With 95 % CI over the rounds. Errors: ${printShare(result.errorShare)} of requests.`}
      card
    >
      <DataTable
        caption="Figures of the cell"
        rows={cellMetrics}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Metric', cell: ({ title, unit }) => title + unit },
          ...(['http', 'https'] as const).map((side) => ({
            label: side.toUpperCase(),
            numeric: true,
            cell: ({ id, decimals }: (typeof cellMetrics)[number]) =>
              printInterval(result[id]?.[side], decimals),
          })),
          { label: 'Change', numeric: true, cell: ({ id }) => printRatio(result[id]?.ratio) },
          {
            label: 'Twin against HTTP',
            numeric: true,
            cell: ({ id }) => printRatio(result[id]?.twinRatio),
          },
        ]}
      />
    </Section>
  );
}
