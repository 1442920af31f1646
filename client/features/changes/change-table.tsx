import { type Shift, shiftOf } from '../../../shared/base/shift.ts';
import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { ComparedMetric, MetricChange } from '../../../shared/kinds/comparison/result-changes.ts';
import { changeShiftOf } from '../../../shared/words/change-words.ts';
import { LookBadge } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/term.tsx';
import { lookOfChange } from '../../format/change-look.ts';
import classes from './changes.module.css';

/** For each metric, the overhead in both results and its change. */
export function ChangeTable({ metrics }: { metrics: readonly MetricChange[] }) {
  return (
    <Section
      id="metrics"
      title="Every metric"
      lead="Overheads with their 95 % CIs. The change compares the ratios between the sides, and its interval includes the uncertainty of both runs."
      card="flush"
    >
      <DataTable
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
      />
    </Section>
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
