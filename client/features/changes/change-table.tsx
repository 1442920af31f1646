import { type Shift, shiftOf } from '../../../shared/base/shift.ts';
import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { ComparedMetric, MetricChange } from '../../../shared/kinds/comparison/result-changes.ts';
import { changeShiftOf } from '../../../shared/words/change-words.ts';
import { LookBadge } from '../../components/badge.tsx';
import { TableSection } from '../../components/table-section.tsx';
import { Term } from '../../components/term.tsx';
import { lookOfChange } from '../../format/change-look.ts';
import classes from './changes.module.css';

export function ChangeTable({ metrics }: { metrics: readonly MetricChange[] }) {
  return (
    <TableSection
      id="metrics"
      title="Every metric"
      lead="Overheads with their 95 % CIs. The change compares the ratios between the sides, and its interval includes the uncertainty of both runs."
      caption="Every metric in both results, with its change"
      testId="change-table"
      rows={metrics}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Metric', cell: ({ id }) => <MetricName id={id} /> },
        { label: 'First', cell: ({ from }) => <ShiftCell shift={overheadOf(from)} /> },
        { label: 'Second', cell: ({ to }) => <ShiftCell shift={overheadOf(to)} /> },
        { label: 'Change', cell: (row) => <ShiftCell shift={changeShiftOf(row)} /> },
        { label: 'Outcome', numeric: false, cell: (row) => <Outcome row={row} /> },
      ]}
      narrow="cards"
    />
  );
}

function overheadOf(row: ComparedMetric | null): Shift | null {
  return row === null ? null : shiftOf(row);
}

function MetricName({ id }: Pick<MetricChange, 'id'>) {
  const { title, definition, primary } = metricOf(id);
  const note = primary ? '' : ' Exploratory: not among the metrics that are tested together.';
  return <Term meaning={`${definition}${note}`}>{title}</Term>;
}

function ShiftCell({ shift }: { shift: Shift | null }) {
  if (shift === null) return '–';
  return (
    <span className={classes.shift}>
      <strong data-real={shift.center !== null}>{shift.center ?? shift.interval}</strong>
      <span>{shift.center === null ? '95 % CI' : shift.interval}</span>
    </span>
  );
}

function Outcome({ row }: { row: MetricChange }) {
  return (
    <div className={classes.outcome}>
      <LookBadge look={lookOfChange(row)} />
      {row.reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </div>
  );
}
