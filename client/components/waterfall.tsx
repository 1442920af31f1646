import type { Problem } from '../../shared/base/problem.ts';
import { niceTicks } from '../../shared/base/quantity.ts';
import type { Side } from '../format/sides.ts';
import { Notice } from './card.tsx';
import classes from './figure.module.css';
import chipsClasses from './form.module.css';
import { SideMark } from './pills.tsx';

type WaterfallFill = 'hatched' | 'solid' | 'half' | 'pale' | 'line' | 'cached';

export type WaterfallRow = {
  name: string;
  start: number;
  /** One after the other from the start on. */
  parts: readonly { fill: WaterfallFill; length: number }[];
};

/** One side: what took place from when to when, and moments that stand for all of it. */
export type WaterfallLane = {
  side: Side;
  /** Beside the name of the side. */
  lead: string;
  rows: readonly WaterfallRow[];
  marks: readonly { name: string; at: number; dashed: boolean }[];
};

type Props = {
  /** Text alternative of the drawing. */
  label: string;
  lanes: readonly WaterfallLane[];
  print: (value: number) => string;
};

/** Lanes below each other on one axis from zero. */
export function Waterfall({ label, lanes, print }: Props) {
  const ends = lanes.flatMap(({ rows, marks }) => [...rows.map(endOf), ...marks.map(({ at }) => at)]);
  const end = Math.max(...ends, 1) * 1.02;
  const ticks = niceTicks(0, end, 5);
  const at = (value: number) => `${(value / end) * 100}%`;
  return (
    <div className={classes.waterfall} role="img" aria-label={label}>
      {lanes.map((lane) => (
        <Lane key={lane.side.key} lane={lane} ticks={ticks} at={at} />
      ))}
      <div className={classes.waterfallAxis} aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick} style={{ insetInlineStart: at(tick) }}>
            {print(tick)}
          </span>
        ))}
      </div>
    </div>
  );
}

function endOf({ start, parts }: WaterfallRow): number {
  return parts.reduce((sum, { length }) => sum + length, start);
}

/** With more rows than this, they are printed small, so that a result fits on two pages. */
const many = 20;

type LaneProps = { lane: WaterfallLane; ticks: readonly number[]; at: (value: number) => string };

function Lane({ lane: { side, lead, rows, marks }, ticks, at }: LaneProps) {
  return (
    <div className={classes.lane} data-many={rows.length > many} aria-hidden="true">
      <p className={classes.head}>
        <SideMark {...side} /> <strong>{side.label}</strong> {lead}
      </p>
      <ol className={classes.names}>
        {rows.map(({ name }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be asked for twice
          <li key={index} title={name}>
            {name}
          </li>
        ))}
      </ol>
      <div className={classes.waterfallTrack}>
        {ticks.map((tick) => (
          <span key={tick} className={classes.tick} style={{ insetInlineStart: at(tick) }} />
        ))}
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Bar key={index} row={row} color={side.color} at={at} />
        ))}
        {marks.map(({ name, at: moment, dashed }) => (
          <span
            key={name}
            className={classes.waterfallMark}
            data-dashed={dashed}
            style={{ insetInlineStart: at(moment) }}
          />
        ))}
      </div>
    </div>
  );
}

function Bar({ row, color, at }: { row: WaterfallRow; color: string; at: LaneProps['at'] }) {
  let from = row.start;
  return (
    <div className={classes.row} style={{ color }}>
      {row.parts.map(({ fill, length }, index) => {
        const start = from;
        from += length;
        return length === 0 && fill !== 'cached' ? null : (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name but their place
            key={index}
            className={classes.part}
            data-fill={fill}
            style={{ insetInlineStart: at(start), inlineSize: at(length) }}
          />
        );
      })}
    </div>
  );
}

type ChipsProps<Value extends string> = {
  /** Read out. */
  label: string;
  value: Value;
  choices: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
};

/** Buttons in a row that wraps, of which one is pressed: ways to narrow down what stands below. */
export function ToggleChips<Value extends string>({ label, value, choices, onChange }: ChipsProps<Value>) {
  return (
    <fieldset className={chipsClasses.chips} aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}

/** Reasons why some of several requested actions were rejected. */
export function Problems({ refused }: { refused: readonly { id: string; problem: Problem }[] }) {
  if (refused.length === 0) return null;
  return (
    <Notice tone="warn" announce="alert">
      {refused.map(({ id, problem }) => (
        <p key={id}>
          {problem.title}. {problem.detail}
        </p>
      ))}
    </Notice>
  );
}
