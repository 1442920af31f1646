import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { mapEstimate } from '../../shared/base/estimate-arithmetic.ts';
import { niceTicks, printChange, type ShiftAxis } from '../../shared/base/quantity.ts';
import type { TrendRun } from '../../shared/results/summary.ts';
import type { Tone } from '../format/looks.ts';
import { printCount } from '../format/printed-figures.ts';
import type { ShiftRow } from '../format/shown-delta.ts';
import classes from './figure.module.css';

const width = 110;

const height = 30;

const edge = 4;

/** Fewer runs show no trend. */
const fewestRuns = 3;

type Run = Pick<TrendRun, 'id' | 'ratio' | 'isStep' | 'leftOut'>;

/** Each run from the oldest to the newest, with its 95 % CI; those that the pool excludes are gray, and a tick marks each step. */
export function TrendLine({ runs }: { runs: readonly Run[] }) {
  if (runs.length < fewestRuns) return null;
  const intervals = runs.map(({ ratio }) => mapEstimate(ratio, Math.log));
  const [lo, hi] = [
    Math.min(...intervals.map((each) => each.lo)),
    Math.max(...intervals.map((each) => each.hi)),
  ];
  const x = (place: number) => edge + (place * (width - 2 * edge)) / (runs.length - 1);
  const y = (value: number) => edge + ((hi - value) / (hi - lo || 1)) * (height - 2 * edge);
  const label = inWords(runs);
  return (
    <svg className={classes.trend} width={width} height={height} role="img" aria-label={label}>
      {runs.map(({ id, isStep, leftOut }, place) => {
        const interval = intervals[place];
        return interval === undefined ? null : (
          <g key={id} className={leftOut === undefined ? undefined : classes.leftOut}>
            {isStep ? (
              <line x1={x(place)} x2={x(place)} y1="1" y2={height - 1} className={classes.step} />
            ) : null}
            <line x1={x(place)} x2={x(place)} y1={y(interval.lo)} y2={y(interval.hi)} />
            <circle cx={x(place)} cy={y(interval.center)} r="2.5" />
          </g>
        );
      })}
    </svg>
  );
}

/** `20 runs between +31.2 % and +38.7 %, 1 step, 2 left out`. */
function inWords(runs: readonly Run[]): string {
  const centers = runs.map(({ ratio }) => ratio.center);
  const steps = runs.filter(({ isStep }) => isStep).length;
  const leftOut = runs.filter((run) => run.leftOut !== undefined).length;
  const [least, most] = [Math.min(...centers), Math.max(...centers)].map((each) => printChange(each, 1));
  return [
    `${printCount(runs.length, 'run')} between ${least} and ${most}`,
    ...(steps === 0 ? [] : [printCount(steps, 'step')]),
    ...(leftOut === 0 ? [] : [`${leftOut} left out`]),
  ].join(', ');
}

/** Margin at both ends of a drawing, as a share of its width, so that marks at the ends are not cut off. */
const room = 0.03;

/** A value's place on an axis, as a share of the width of the drawing; values beyond its ends are at the ends. */
export function placeOn({ from, to }: ShiftAxis): (value: number) => number {
  const span = to - from || 1;
  const within = (value: number) => Math.max(from, Math.min(to, value));
  return (value) => room + (1 - 2 * room) * ((within(value) - from) / span);
}

function printPlace(share: number): string {
  return `${100 * share}%`;
}

const mostTicks = 4;

/** One row’s difference on the axis of all rows: the interval with its center, each start, the control, and the tolerance around zero. */
export function ShiftStrip({
  interval,
  alone,
  marks,
  control,
  tolerance,
  label,
  axis,
  tone = 'note',
}: ShiftRow & { axis: ShiftAxis; tone?: Tone }) {
  const { lo, center, hi } = interval;
  const { at, span, isInside } = drawnOn(axis);
  return (
    <StripFrame axis={axis} tone={tone} label={label}>
      <rect {...span(-tolerance, tolerance)} y="4" height="26" className={classes.tolerance} />
      {control === null ? null : <rect {...span(...control)} y="8" height="18" className={classes.control} />}
      <line x1={at(0)} x2={at(0)} y1="1" y2="33" className={classes.zero} />
      <rect {...span(lo, hi)} y="15" height="6" rx="3" className={classes.shiftStripInterval} />
      {alone === null ? null : (
        <rect {...span(...alone)} y="32" height="1.5" className={classes.shiftStripCenter} />
      )}
      <Arrows axis={axis} lo={lo} hi={hi} y={18} />
      {marks.map((mark, index) =>
        isInside(mark) ? (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: starts have no name but their place in the row
            key={index}
            cx={at(mark)}
            // Marks alternate between two heights, because equal ones would hide each other.
            cy={index % 2 === 0 ? 4 : 9}
            r="2.25"
            className={classes.shiftStripMark}
          />
        ) : null,
      )}
      {isInside(center) ? (
        <rect
          x={at(center)}
          width="3.5"
          y="10"
          height="16"
          rx="1.5"
          transform="translate(-1.75)"
          className={classes.shiftStripCenter}
        />
      ) : null}
    </StripFrame>
  );
}

type FrameProps = { axis: ShiftAxis; tone: Tone; label: string; children: ReactNode };

type StepProps = { lo: number; hi: number; label: string; axis: ShiftAxis };

/** One step of a sum. */
export function StepStrip({ lo, hi, label, axis }: StepProps) {
  const { at, span } = drawnOn(axis);
  return (
    <StripFrame axis={axis} tone="note" label={label}>
      <line x1={at(0)} x2={at(0)} y1="1" y2="33" className={classes.zero} />
      <rect {...span(lo, hi)} y="10" height="14" rx="1.5" fill="currentColor" />
    </StripFrame>
  );
}

/** The axis of all rows, on which one of them is drawn. */
function StripFrame({ axis, tone, label, children }: FrameProps) {
  const { at } = drawnOn(axis);
  return (
    <svg
      className={classes.shiftStripDrawing}
      data-tone={tone}
      role="img"
      aria-label={label}
      focusable="false"
    >
      {niceTicks(axis.from, axis.to, mostTicks).map((tick) => (
        <line key={tick} x1={at(tick)} x2={at(tick)} y1="0" y2="36" className={classes.gridLine} />
      ))}
      {children}
    </svg>
  );
}

/** Positions on an axis as attributes of a drawing. */
export function drawnOn(axis: ShiftAxis) {
  const place = placeOn(axis);
  const at = (value: number) => printPlace(place(value));
  return {
    at,
    span: (lo: number, hi: number) => ({ x: at(lo), width: printPlace(place(hi) - place(lo)) }),
    isInside: (value: number) => axis.from <= value && value <= axis.to,
  };
}

type Interval = { lo: number; center: number; hi: number };

/** Two results of one metric on the axis of all rows: the first a circle, the second a square below it. Null if unknown. */
export function PairStrip({
  first,
  second,
  label,
  axis,
  tone,
}: {
  first: Interval | null;
  second: Interval | null;
  label: string;
  axis: ShiftAxis;
  tone: Tone;
}) {
  const { at, span, isInside } = drawnOn(axis);
  return (
    <StripFrame axis={axis} tone={tone} label={label}>
      <line x1={at(0)} x2={at(0)} y1="1" y2="35" className={classes.zero} />
      {[first, second].map((interval, row) => {
        if (interval === null) return null;
        const { lo, center, hi } = interval;
        const y = row === 0 ? 11 : 25;
        return (
          <g key={y}>
            <rect {...span(lo, hi)} y={y - 2.5} height="5" rx="2.5" className={classes.shiftStripInterval} />
            <Arrows axis={axis} lo={lo} hi={hi} y={y} />
            {isInside(center) ? <PairMark x={at(center)} y={y} isFirst={row === 0} /> : null}
          </g>
        );
      })}
    </StripFrame>
  );
}

/** Circle and square are the first and the second of two results. */
export function PairMark({ x, y, isFirst }: { x: string; y: number; isFirst: boolean }) {
  return isFirst ? (
    <circle cx={x} cy={y} r="4" className={classes.first} />
  ) : (
    <rect x={x} y={y - 4} width="8" height="8" transform="translate(-4)" fill="currentColor" />
  );
}

/** One of the two marks, for a legend or the head of a column. */
export function ResultMark({ isFirst }: { isFirst: boolean }) {
  return (
    <svg width="14" height="12" viewBox="0 0 14 12" aria-hidden="true" className={classes.sideMark}>
      <PairMark x="7" y={6} isFirst={isFirst} />
    </svg>
  );
}

export function PairLegend() {
  return (
    <ul className={classes.legend}>
      <li>
        <ResultMark isFirst /> First
      </li>
      <li>
        <ResultMark isFirst={false} /> Second
      </li>
    </ul>
  );
}

type ArrowsProps = { axis: ShiftAxis; lo: number; hi: number; y: number };

/** At each end of an axis that an interval goes beyond. */
export function Arrows({ axis, lo, hi, y }: ArrowsProps) {
  const { at } = drawnOn(axis);
  return (
    <>
      {lo < axis.from ? <Arrow x={at(axis.from)} y={y} towards={-1} /> : null}
      {hi > axis.to ? <Arrow x={at(axis.to)} y={y} towards={1} /> : null}
    </>
  );
}

function Arrow({ x, y, towards }: { x: string; y: number; towards: 1 | -1 }) {
  return (
    <svg x={x} y={y} overflow="visible" focusable="false" aria-hidden="true">
      <path d={`M0 -6L${7 * towards} 0L0 6Z`} fill="currentColor" />
    </svg>
  );
}

/** The axis, once above all rows. @param print a label of a tick */
export function ShiftScale({ axis, print }: { axis: ShiftAxis; print: (value: number) => string }) {
  return <AxisLabels ticks={niceTicks(axis.from, axis.to, mostTicks)} place={placeOn(axis)} print={print} />;
}

type AxisLabelsProps = {
  ticks: readonly number[];
  place: (value: number) => number;
  print: (value: number) => string;
};

/** Width until the axis is measured. */
const usualPx = 240;

/** Axis labels that have room, below or above a drawing of the same width. */
export function AxisLabels({ ticks, place, print }: AxisLabelsProps) {
  const { ref, width } = useElementSize<HTMLSpanElement>();
  const labels = ticks.map((value) => ({ value, text: print(value), at: place(value) }));
  return (
    <span ref={ref} className={classes.scale} aria-hidden="true">
      {fittingLabels(labels, width || usualPx).map(({ value, text, at }) => (
        <span key={value} style={{ insetInlineStart: printPlace(at) }}>
          {text}
        </span>
      ))}
    </span>
  );
}

type AxisLabel = {
  value: number;
  text: string;
  /** Its middle, as a share of the width. */
  at: number;
};

/** Width of a character in the size of the labels, rounded up: no font of the page is wider. */
export const letterPx = 8;
const gapPx = 6;

/** Labels that neither touch each other nor leave the axis: zero first, then those farthest from it. */
export function fittingLabels(labels: readonly AxisLabel[], widthPx: number): AxisLabel[] {
  const isZero = ({ value }: AxisLabel) => Number(value === 0);
  const order = labels.toSorted((a, b) => isZero(b) - isZero(a) || Math.abs(b.value) - Math.abs(a.value));
  const half = ({ text }: AxisLabel) => (text.length * letterPx) / 2;
  const kept: AxisLabel[] = [];
  for (const label of order) {
    const margin = Math.min(0.5, half(label) / widthPx);
    const inside = { ...label, at: Math.max(margin, Math.min(1 - margin, label.at)) };
    const isFree = kept.every(
      (other) => Math.abs(other.at - inside.at) * widthPx >= half(other) + half(inside) + gapPx,
    );
    if (isFree) kept.push(inside);
  }
  return kept.toSorted((a, b) => a.value - b.value);
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
