import { Checkbox } from '@mantine/core';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { printChange, printChangeInterval } from '../../shared/base/quantity.ts';
import type { QuestionLine, TrendRun } from '../../shared/results/question-line.ts';
import { printAgo, printCount, printWhen, type ShiftAxis } from '../format/option-form.ts';
import { type QuestionView, questionViews } from '../format/question-view.ts';
import type { ShiftRow } from '../format/shown-delta.ts';
import { LookBadge } from './badge.tsx';
import lineClasses from './figure.module.css';
import stripClasses from './figure.module.css';
import classes from './table.module.css';

type Props = {
  label: string;
  lines: readonly QuestionLine[];
  /** Left out where nothing is done with several of them. */
  selection?: QuestionSelection;
};

type QuestionSelection = {
  /** Ids of questions. */
  selected: readonly string[];
  onSelect(id: string): void;
};

/** One row a question: what all of its runs say, on one axis, how that came about, and the runs themselves. */
export function QuestionTable({ label, lines, selection }: Props) {
  const { views, axis } = questionViews(lines);
  return (
    <table className={classes.questionTable} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Question</th>
          <th scope="col" data-numeric>
            Pooled
          </th>
          <th scope="col" className={classes.questionTableAxis}>
            <ShiftScale axis={axis} />
            <span className="hidden">On one axis</span>
          </th>
          <th scope="col">Trend</th>
          <th scope="col" data-numeric>
            Runs
          </th>
          <th scope="col" data-numeric>
            Last
          </th>
          <th scope="col">Outcome</th>
        </tr>
      </thead>
      {views.map((view) => (
        <Question key={view.id} view={view} axis={axis} {...(selection && { selection })} />
      ))}
    </table>
  );
}

type RowProps = { view: QuestionView; axis: ShiftAxis; selection?: QuestionSelection };

function Question({ view, axis, selection }: RowProps) {
  const { title, setting, href, figure, amount, shift, trend, runs, newestAt, quality, look } = view;
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <tbody>
      <tr>
        <th scope="row" className={classes.question}>
          <div className={classes.named}>
            {selection === undefined ? null : (
              <Checkbox
                aria-label={`Select ${title}, ${setting}`}
                checked={selection.selected.includes(view.id)}
                onChange={() => selection.onSelect(view.id)}
              />
            )}
            <div>
              <Link to={href} dir="auto">
                {title}
              </Link>
              <p dir="auto">{setting}</p>
            </div>
          </div>
        </th>
        <td data-numeric className={classes.figure}>
          <strong>{figure}</strong>
          {amount === null ? null : <span>{amount}</span>}
        </td>
        <td className={classes.questionTableAxis}>
          {shift === null ? null : <ShiftStrip {...shift} axis={axis} tolerance={view.tolerance} />}
        </td>
        <td className={classes.trend}>
          <TrendLine runs={trend} />
        </td>
        <td data-numeric data-name="Runs">
          <button
            type="button"
            className={classes.runs}
            aria-expanded={open}
            aria-controls={id}
            aria-label={`${runs} ${runs === 1 ? 'run' : 'runs'} of ${title}, ${setting}`}
            onClick={() => setOpen(!open)}
          >
            {runs}
          </button>
        </td>
        <td data-numeric data-name="Last" className={classes.age}>
          {printAgo(newestAt, Date.now())}
        </td>
        <td className={classes.questionTableOutcome}>
          <LookBadge look={look} />
          {quality === 'noisy' ? <span>noisy</span> : null}
        </td>
      </tr>
      <tr id={id} hidden={!open}>
        <td colSpan={7} className={classes.opened}>
          {open ? <Runs trend={trend} runs={runs} /> : null}
        </td>
      </tr>
    </tbody>
  );
}

/** The newest first. */
function Runs({ trend, runs }: { trend: readonly TrendRun[]; runs: number }) {
  return (
    <>
      <ul>
        {trend.toReversed().map(({ id, url, createdAt, ratio, isStep }) => (
          <li key={id}>
            <Link to={url}>{printWhen(createdAt)}</Link>
            <span>{printChange(ratio.center, 1)}</span>
            <span>{printChangeInterval(ratio)}</span>
            {isStep ? <span>step</span> : null}
          </li>
        ))}
      </ul>
      {runs > trend.length ? <p>The newest {trend.length} with a figure.</p> : null}
    </>
  );
}

const width = 110;
const height = 30;
const edge = 4;

/** The figure of each run from the oldest to the newest, which has a dot; a tick marks each step of the level. */
function TrendLine({ runs }: { runs: readonly Pick<TrendRun, 'id' | 'ratio' | 'isStep'>[] }) {
  const values = runs.map(({ ratio }) => Math.log(ratio.center));
  const [newest] = values.slice(-1);
  if (newest === undefined) return null;
  const [lo, hi] = [Math.min(...values), Math.max(...values)];
  // What is within two percent is drawn as level as it is.
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

/** Where an interval goes on. */
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
