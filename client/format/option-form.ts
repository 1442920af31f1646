import type { Estimate } from '../../shared/base/estimate.ts';
import { mapEstimate } from '../../shared/base/map-estimate.ts';
import { isCounting, nestValues, type PlacedOption, valueIn } from '../../shared/base/option.ts';
import { printChangeInterval, printNumber } from '../../shared/base/quantity.ts';
import { looksOf, type SideLooks, sideColors } from '../../shared/base/side-looks.ts';
import { type BySide, bySide, type KnownSide, labelsOf, type SideName } from '../../shared/base/transport.ts';
import type { Check, PreflightReport, PreflightSide } from '../../shared/target/preflight.ts';
import { type Field, fieldOf, isTaken, messageOf, readField } from './option-field.ts';

/** A form made of a table of options: a field for each, by its id. */
export type OptionForm = { [id: string]: Field };

/** As it opens, or as it asks for a request again: what that leaves out has its default. */
export function formOf(options: readonly PlacedOption[], request: object = {}): OptionForm {
  return Object.fromEntries(
    options.map((placed) => {
      const value = valueIn(request, placed);
      return [placed.id, fieldOf(placed.option, value === undefined ? placed.option.default : value)];
    }),
  );
}

/** What it asks for, and what is said at each field whose value its option does not take. */
export function readForm(options: readonly PlacedOption[], form: OptionForm) {
  const counting = options.filter((placed) => applies(placed, form));
  const read = counting.map((placed) => [placed, readField(placed.option, form[placed.id] ?? '')] as const);
  const wrong = counting.filter(({ id, option }) => !isTaken(option, form[id] ?? ''));
  return {
    asked: nestValues(read.filter(([, value]) => value !== undefined)),
    messages: Object.fromEntries(wrong.map(({ id, option }) => [id, messageOf(option)])),
  };
}

/** Whether an option counts, as another one was chosen. */
export function applies({ part, option }: PlacedOption, form: Readonly<Record<string, unknown>>): boolean {
  const other = option.when?.option ?? '';
  return isCounting(option, form[part === null ? other : `${part}.${other}`]);
}

/** A preflight report as two columns: each side by its name, where it was found, and its checks. */
export type CheckColumn = { side: Side; subtitle: string; checks: Check[] };

export function checkColumns({ sides }: PreflightReport): [CheckColumn, CheckColumn] {
  const { baseline, comparison } = sidesOf(sides);
  return [columnOf(baseline, sides.baseline), columnOf(comparison, sides.comparison)];
}

function columnOf(side: Side, { origin, address, checks }: PreflightSide): CheckColumn {
  return {
    side,
    subtitle: address === null ? origin : `${origin} at ${address}`,
    checks: checks.map((check) => ({ ...check, message: withoutOptions(check.message) })),
  };
}

/** How one column of a comparison is called and drawn, the same everywhere. */
export type Side = Pick<SideLooks, 'marker' | 'dashed'> & { key: SideName; label: string; color: string };

export type Sides = BySide<Side>;

export function sidesOf(sides: BySide<KnownSide>): Sides {
  const labels = labelsOf(sides);
  const looks = looksOf(sides);
  return bySide((key) => {
    const { tone, marker, dashed } = looks[key];
    return { key, label: labels[key], color: sideColors[tone], marker, dashed };
  });
}

/** A sentence without the options of the command line in it, for a page that has a button or a field for each: ` (--ca)`. */
export function withoutOptions(sentence: string): string {
  return sentence.replace(/ \(--[^()]*\)/g, '');
}

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

/** `40 s`, `1 min 20 s`, `10 min`, `1 h 5 min`. */
export function printDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return joinParts(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(whole / 60);
  return joinParts(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** Time still to go: `about 41 s left`, `about 3 min 20 s left`. Finer the nearer the end, so that it is seen to fall. */
export function printTimeLeft(seconds: number): string {
  if (seconds < 3) return 'a moment left';
  const step = seconds < 90 ? 1 : seconds < 600 ? 5 : 60;
  return `about ${printDuration(Math.round(seconds / step) * step)} left`;
}

function joinParts(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** A ratio as a change: 0.21 for 1.21. */
export function changeOf(ratio: Estimate): Estimate {
  return mapEstimate(ratio, (value) => value - 1);
}

/** `+19.8 to +22.2 %`, of an interval of changes. */
export function printChanges(change: Estimate): string {
  return printChangeInterval(mapEstimate(change, (value) => 1 + value));
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

/** `1 block`, `12 blocks`, `3 launches`, `1,204 requests`. */
export function printCount(count: number, one: string, many = irregular[one] ?? `${one}s`): string {
  return `${printNumber(count, 0)} ${count === 1 ? one : many}`;
}

const irregular: Record<string, string> = { launch: 'launches' };

const spaceBeforeUnit = /(?<=\d) (?=(?:%|µs|ms|s|[kMG]?B|cores?)(?!\w))/g;

/** A sentence whose figures do not lose their unit to the next line. */
export function keepUnits(sentence: string): string {
  return sentence.replace(spaceBeforeUnit, '\u00a0');
}

const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** `21 Nov 2026, 14:05`, in the reader's time zone. `unixMs` in milliseconds. */
export function printWhen(unixMs: number): string {
  return moment.format(unixMs);
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** `14:05`, for what stands below its day. */
export function printClock(unixMs: number): string {
  return clock.format(unixMs);
}

/** `just now`, `5 min ago`, `3 h ago`, then the date. */
export function printAgo(unixMs: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - unixMs) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return printWhen(unixMs);
}
