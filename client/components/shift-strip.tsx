import { printChange } from '../../shared/base/quantity.ts';
import type { ShiftAxis } from '../format/shift-axis.ts';
import type { ShiftRow } from '../format/shown-delta.ts';
import classes from './figure.module.css';

type Props = ShiftRow & { axis: ShiftAxis; tolerance: number };

/** One row's change on the axis of all rows: the interval with its center, each launch, the twin, and the tolerance around zero. */
export function ShiftStrip({ interval, marks, twin, label, axis, tolerance }: Props) {
  const { from, to } = axis;
  const within = (value: number) => Math.max(from, Math.min(to, value));
  const at = (value: number) => `${((within(value) - from) / (to - from)) * 100}%`;
  const width = (lo: number, hi: number) => `${((within(hi) - within(lo)) / (to - from)) * 100}%`;
  const { lo, center, hi } = interval;
  return (
    <div className={classes.strip}>
      <svg className={classes.shiftStripDrawing} role="img" aria-label={label}>
        <title>{label}</title>
        <rect
          x={at(-tolerance)}
          width={width(-tolerance, tolerance)}
          y="3"
          height="24"
          className={classes.tolerance}
        />
        {twin === null ? null : (
          <rect x={at(twin[0])} width={width(twin[0], twin[1])} y="6" height="18" className={classes.twin} />
        )}
        <line x1={at(0)} x2={at(0)} y1="1" y2="29" className={classes.zero} />
        <rect
          x={at(lo)}
          width={width(lo, hi)}
          y="12"
          height="6"
          rx="3"
          className={classes.shiftStripInterval}
        />
        {lo < from ? <Arrow x={at(lo)} towards={-1} /> : null}
        {hi > to ? <Arrow x={at(hi)} towards={1} /> : null}
        {marks.map((mark, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: launches have no name but their place in the row
          <Mark key={index} x={mark < from || mark > to ? null : at(mark)} index={index} />
        ))}
        {center < from || center > to ? null : (
          <rect x={at(center)} width="3.5" y="6" height="18" rx="1.5" className={classes.shiftStripCenter} />
        )}
      </svg>
      <Ends axis={axis} />
    </div>
  );
}

/** Above and below in turn, so that equal ones do not hide each other. Null is outside of the axis. */
function Mark({ x, index }: { x: string | null; index: number }) {
  return x === null ? null : (
    <circle cx={x} cy={index % 2 === 0 ? 8 : 22} r="2.25" className={classes.shiftStripMark} />
  );
}

/** Where an interval goes on. */
function Arrow({ x, towards }: { x: string; towards: 1 | -1 }) {
  return (
    <svg x={x} y="15" overflow="visible" focusable="false" aria-hidden="true">
      <path d={`M0 -6L${7 * towards} 0L0 6Z`} className={classes.arrow} />
    </svg>
  );
}

/** The axis, once above all rows. */
export function ShiftScale({ axis: { from, to } }: { axis: ShiftAxis }) {
  return (
    <span className={classes.scale} aria-hidden="true">
      {from < 0 ? <span>{printChange(1 + from, 0)}</span> : null}
      <span className={classes.zeroLabel} style={{ insetInlineStart: `${(-from / (to - from)) * 100}%` }}>
        0 %
      </span>
      {to > 0 ? <span className={classes.last}>{printChange(1 + to, 0)}</span> : null}
    </span>
  );
}

/** On a narrow screen there is nothing above the rows. */
function Ends({ axis: { from, to } }: { axis: ShiftAxis }) {
  return (
    <div className={classes.ends} aria-hidden="true">
      <span>{printChange(1 + from, 0)}</span>
      <span>{printChange(1 + to, 0)}</span>
    </div>
  );
}
