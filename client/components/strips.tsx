import { printChange } from '../../shared/base/quantity.ts';
import type { TrendRun } from '../../shared/results/summary.ts';
import { printCount } from '../format/printed-figures.ts';
import type { ShiftRow } from '../format/shown-delta.ts';
import type { ShiftAxis } from '../format/ticks.ts';
import lineClasses from './figure.module.css';
import stripClasses from './figure.module.css';
import classes from './figure.module.css';

const width = 110;

const height = 30;

const edge = 4;

/** The figure of each run from the oldest to the newest, which has a dot; a tick marks each step of the level. */
export function TrendLine({ runs }: { runs: readonly Pick<TrendRun, 'id' | 'ratio' | 'isStep'>[] }) {
  const values = runs.map(({ ratio }) => Math.log(ratio.center));
  const [newest] = values.slice(-1);
  if (newest === undefined) return null;
  const [lo, hi] = [Math.min(...values), Math.max(...values)];
  // Changes within 2 % look as level as they are.
  const span = Math.max(hi - lo, 0.04);
  const middle = (lo + hi) / 2;
  const x = (place: number) =>
    runs.length === 1 ? width - edge : edge + (place * (width - 2 * edge)) / (runs.length - 1);
  const y = (value: number) => height / 2 - ((value - middle) / span) * (height - 2 * edge);
  const label = inWords(runs);
  return (
    <svg className={lineClasses.trend} width={width} height={height} role="img" aria-label={label}>
      <title>{label}</title>
      {runs.map(({ id, isStep }, place) =>
        isStep ? (
          <line key={id} x1={x(place)} x2={x(place)} y1="1" y2={height - 1} className={lineClasses.step} />
        ) : null,
      )}
      <polyline points={values.map((value, place) => `${x(place)},${y(value)}`).join(' ')} />
      <circle cx={x(values.length - 1)} cy={y(newest)} r="3" />
    </svg>
  );
}

/** `20 runs between +31.2 % and +38.7 %, 1 step`. */
function inWords(runs: readonly Pick<TrendRun, 'ratio' | 'isStep'>[]): string {
  const centers = runs.map(({ ratio }) => ratio.center);
  const steps = runs.filter(({ isStep }) => isStep).length;
  const [least, most] = [Math.min(...centers), Math.max(...centers)].map((each) => printChange(each, 1));
  const range =
    runs.length === 1 ? `1 run, ${least}` : `${printCount(runs.length, 'run')} between ${least} and ${most}`;
  return steps === 0 ? range : `${range}, ${printCount(steps, 'step')}`;
}

type StripProps = ShiftRow & { axis: ShiftAxis; tolerance: number };

/** One row's change on the axis of all rows: the interval with its center, each launch, the twin, and the tolerance around zero. */
export function ShiftStrip({ interval, marks, twin, label, axis, tolerance }: StripProps) {
  const { from, to } = axis;
  const within = (value: number) => Math.max(from, Math.min(to, value));
  const at = (value: number) => `${((within(value) - from) / (to - from)) * 100}%`;
  const width = (lo: number, hi: number) => `${((within(hi) - within(lo)) / (to - from)) * 100}%`;
  const { lo, center, hi } = interval;
  return (
    <div className={stripClasses.strip}>
      <svg className={stripClasses.shiftStripDrawing} role="img" aria-label={label}>
        <title>{label}</title>
        <rect
          x={at(-tolerance)}
          width={width(-tolerance, tolerance)}
          y="3"
          height="24"
          className={stripClasses.tolerance}
        />
        {twin === null ? null : (
          <rect
            x={at(twin[0])}
            width={width(twin[0], twin[1])}
            y="6"
            height="18"
            className={stripClasses.twin}
          />
        )}
        <line x1={at(0)} x2={at(0)} y1="1" y2="29" className={stripClasses.zero} />
        <rect
          x={at(lo)}
          width={width(lo, hi)}
          y="12"
          height="6"
          rx="3"
          className={stripClasses.shiftStripInterval}
        />
        {lo < from ? <Arrow x={at(lo)} towards={-1} /> : null}
        {hi > to ? <Arrow x={at(hi)} towards={1} /> : null}
        {marks.map((mark, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: launches have no name but their place in the row
          <Mark key={index} x={mark < from || mark > to ? null : at(mark)} index={index} />
        ))}
        {center < from || center > to ? null : (
          <rect
            x={at(center)}
            width="3.5"
            y="6"
            height="18"
            rx="1.5"
            className={stripClasses.shiftStripCenter}
          />
        )}
      </svg>
      <Ends axis={axis} />
    </div>
  );
}

/** Above and below in turn, so that equal ones do not hide each other. Null is outside of the axis. */
function Mark({ x, index }: { x: string | null; index: number }) {
  return x === null ? null : (
    <circle cx={x} cy={index % 2 === 0 ? 8 : 22} r="2.25" className={stripClasses.shiftStripMark} />
  );
}

/** Arrow at the end of a strip, for an interval that continues beyond it. */
function Arrow({ x, towards }: { x: string; towards: 1 | -1 }) {
  return (
    <svg x={x} y="15" overflow="visible" focusable="false" aria-hidden="true">
      <path d={`M0 -6L${7 * towards} 0L0 6Z`} className={stripClasses.arrow} />
    </svg>
  );
}

/** The axis, once above all rows. */
export function ShiftScale({ axis: { from, to } }: { axis: ShiftAxis }) {
  return (
    <span className={stripClasses.scale} aria-hidden="true">
      {from < 0 ? <span>{printChange(1 + from, 0)}</span> : null}
      <span
        className={stripClasses.zeroLabel}
        style={{ insetInlineStart: `${(-from / (to - from)) * 100}%` }}
      >
        0 %
      </span>
      {to > 0 ? <span className={stripClasses.last}>{printChange(1 + to, 0)}</span> : null}
    </span>
  );
}

/** On a narrow screen there is nothing above the rows. */
function Ends({ axis: { from, to } }: { axis: ShiftAxis }) {
  return (
    <div className={stripClasses.ends} aria-hidden="true">
      <span>{printChange(1 + from, 0)}</span>
      <span>{printChange(1 + to, 0)}</span>
    </div>
  );
}

type Strip = {
  /** Single observations. */
  marks: readonly number[];
  /** The same observations where nothing but noise was measured, drawn hollow. */
  nulls: readonly number[];
  interval: { lo: number; center: number; hi: number };
  /** Text alternative of the strip. */
  label: string;
  print: (value: number) => string;
};

/** Observations as dots over their interval, on an axis that always holds zero. */
export function DistributionStrip({ marks, nulls, interval, label, print }: Strip) {
  const [from, to] = domainOf([0, interval.lo, interval.hi, ...marks, ...nulls]);
  const at = (value: number) => `${((value - from) / (to - from)) * 100}%`;
  return (
    <div className={classes.strip}>
      <svg className={classes.distributionStripDrawing} role="img" aria-label={label}>
        <title>{label}</title>
        <line x1={at(0)} x2={at(0)} y1="0" y2="34" className={classes.zero} />
        {nulls.map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: observations have no name but their place in the row
          <circle key={index} cx={at(value)} cy={rowOf(index)} r="2.25" className={classes.null} />
        ))}
        {marks.map((mark, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: observations have no name but their place in the row
          <circle key={index} cx={at(mark)} cy={rowOf(index)} r="2.75" className={classes.dot} />
        ))}
        <rect
          x={at(interval.lo)}
          width={`${((interval.hi - interval.lo) / (to - from)) * 100}%`}
          y="25"
          height="5"
          rx="2.5"
          className={classes.distributionStripInterval}
        />
        <rect
          x={at(interval.center)}
          y="22"
          width="3"
          height="11"
          rx="1.5"
          className={classes.distributionStripCenter}
        />
      </svg>
      <div className={classes.distributionStripAxis} aria-hidden="true">
        <span>{print(from)}</span>
        <span>{print(to)}</span>
      </div>
    </div>
  );
}

/** Spread over the height, so that equal observations do not hide each other. */
function rowOf(index: number): number {
  return 7 + ((index * 5) % 12);
}

function domainOf(values: number[]): [number, number] {
  const lo = Math.min(...values);
  const hi = Math.max(...values);
  const margin = (hi - lo || 1) * 0.06;
  return [lo - margin, hi + margin];
}
