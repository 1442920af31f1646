import { niceTicks } from './nice-ticks.ts';

/** Of changes: 0.2 for a fifth more. */
export type ShiftAxis = { from: number; to: number };

type Interval = { lo: number; center: number; hi: number };
/** @property whole the axis shows the whole interval, however wide: the metric of the verdict */
type Row = { interval: Interval; certain: boolean; whole?: boolean };

/** How far past the largest certain change an interval may stretch the axis; what reaches further ends in an arrow. */
const reach = 1.35;

/**
 * One axis for the changes of several metrics: it shows zero, the tolerance on both sides, and the whole interval of the headline, and ends
 * at the scale of the certain intervals, however wide another is. Rounded outward to a step of the ticks.
 */
export function shiftAxis(rows: readonly Row[], tolerance: number): ShiftAxis {
  const certain = rows.filter((row) => row.certain);
  const centers = (certain.length > 0 ? certain : rows).map(({ interval }) => Math.abs(interval.center));
  const scale = certain.length > 0 ? Math.max(...centers) : Math.min(...centers, Number.MAX_VALUE);
  const most = Math.max(2 * tolerance, reach * (Number.isFinite(scale) && rows.length > 0 ? scale : 0));
  const clamp = (value: number) => Math.max(-most, Math.min(most, value));
  const endOf = ({ whole = false }: Row, value: number) => (whole ? value : clamp(value));
  const lo = Math.min(-1.5 * tolerance, ...rows.map((row) => endOf(row, row.interval.lo)));
  const hi = Math.max(1.5 * tolerance, ...rows.map((row) => endOf(row, row.interval.hi)));
  const [first = lo, second = hi] = niceTicks(lo, hi, 5);
  const step = Math.abs(second - first) || hi - lo;
  const outward = (value: number, round: (value: number) => number) =>
    round(value / step - Math.sign(value) * 1e-9) * step;
  return { from: outward(lo, Math.floor), to: outward(hi, Math.ceil) };
}
