/** Axis of changes: 0.2 for a fifth more. */
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

/** Round values within a range, about `count` of them. */
export function niceTicks(from: number, to: number, count: number): number[] {
  const rough = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(from / step);
  const length = Math.floor(to / step) - first + 1;
  return Array.from({ length }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** A label of an axis of ratios, from the change: `×1.2` for 0.2, `×1`, `×0.5`. */
export function printRatioTick(change: number): string {
  return `×${Number((1 + change).toPrecision(3))}`;
}

/** A label of an axis of changes: `+2.5 %` for 0.025, `0 %`, `−10 %`. It has no more digits than the tick. */
export function printChangeTick(change: number): string {
  const percent = Number((change * 100).toPrecision(3));
  if (percent === 0) return '0 %';
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`;
}

/** Round ratios between two ratios, about `count` of them: evenly apart as ratios, or as decades and their fifths and halves. */
export function ratioTicks(from: number, to: number, count: number): number[] {
  if (to / from < 4) return niceTicks(from, to, count).filter((ratio) => ratio > 0);
  const first = Math.floor(Math.log10(from));
  const decades = Array.from({ length: Math.ceil(Math.log10(to)) - first + 1 }, (_, index) => first + index);
  const ratios = decades.flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)));
  return ratios.filter((ratio) => ratio >= from && ratio <= to);
}
