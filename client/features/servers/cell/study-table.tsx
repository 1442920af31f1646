import { printFactor, printNumber } from '../../../../shared/base/quantity.ts';
import type { AbReport, CellResult } from '../../../../shared/kinds/servers/servers-result.ts';
import { studies } from '../../../../shared/studies/study.ts';
import {
  besideMalmgren,
  type ThenAndNowRow,
} from '../../../../shared/studies/then-and-now/malmgren-then-and-now.ts';
import { DataTable } from '../../../components/data-table.tsx';

/** The report of 2011 beside HTTPS today; nothing where the cell asked for something else. */
export function StudyTable({ result, report }: { result: CellResult; report: AbReport | null }) {
  const beside =
    report === null
      ? null
      : besideMalmgren(result.cell.settings, report.figures, result.throughput?.https ?? null);
  if (beside === null) return null;
  return (
    <div className="stack wide">
      <h3>In 2011 and today</h3>
      <p>
        {beside.sentences.join(' ')} The study’s machine: {studies['malmgren-2011'].machine}.
      </p>
      <DataTable
        caption="HTTPS in 2011 and today"
        rows={beside.rows}
        keyOf={({ name }) => name}
        columns={[
          { label: 'Figure', cell: ({ name, unit }) => (unit === '' ? name : `${name}, ${unit}`) },
          { label: '2011', numeric: true, cell: ({ earlier }) => print(earlier) },
          { label: 'Today', numeric: true, cell: printToday },
          { label: 'Factor', numeric: true, cell: printTimes },
        ]}
      />
    </div>
  );
}

function printToday({ today, interval }: ThenAndNowRow): string {
  return interval === null
    ? print(today)
    : `${print(today)} (${print(interval.lo)} to ${print(interval.hi)})`;
}

function printTimes({ factor, interval, earlier }: ThenAndNowRow): string {
  if (interval === null) return `${printSmall(factor)}×`;
  return `${printSmall(factor)}× (${printSmall(interval.lo / earlier)} to ${printSmall(interval.hi / earlier)})`;
}

/** Times fell by hundreds since then. */
function printSmall(factor: number): string {
  return factor < 0.1 ? printNumber(factor, factor < 0.01 ? 4 : 3) : printFactor(factor);
}

function print(value: number): string {
  return printNumber(value, value < 10 ? 2 : value < 1000 ? 1 : 0);
}
