import { Checkbox } from '@mantine/core';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import {
  intervalDecimals,
  printChange,
  printChangeInterval,
  printChangeTick,
  type ShiftAxis,
  shiftAxis,
} from '../../shared/base/quantity.ts';
import { metricOf } from '../../shared/kinds/comparison/metric.ts';
import type { Quality } from '../../shared/kinds/comparison/quality.ts';
import type { QuestionLine, TrendRun } from '../../shared/results/summary.ts';
import { usualTolerance } from '../../shared/words/change-words.ts';
import { type Look, lookOfOutcome, lookOfState } from '../format/looks.ts';
import { changeOf, printAgo, printWhen } from '../format/printed-figures.ts';
import type { ShiftRow } from '../format/shown-delta.ts';
import { sidesOf } from '../format/sides.ts';
import { LookBadge } from './card.tsx';
import { ShiftScale, ShiftStrip, TrendLine } from './strips.tsx';
import classes from './table.module.css';

type Props = {
  label: string;
  lines: readonly QuestionLine[];
  /** Left out where nothing is done with several of them. */
  selection?: QuestionSelection;
};

type QuestionSelection = {
  /** IDs of runs; the newest one stands for its question. */
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
            <ShiftScale axis={axis} print={printChangeTick} />
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
  const { title, setting, href, figures, isClear, shift, trend, runs, counted, newestAt, quality, look } =
    view;
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
                checked={selection.selected.includes(view.newestId)}
                onChange={() => selection.onSelect(view.newestId)}
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
          <strong data-real={isClear}>{figures[0]}</strong>
          {figures.slice(1).map((figure) => (
            <span key={figure}>{figure}</span>
          ))}
        </td>
        <td className={classes.questionTableAxis}>
          {shift === null ? null : <ShiftStrip {...shift} axis={axis} tone={look.tone} />}
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
            {counted === runs ? runs : `${counted} of ${runs}`}
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
          {open ? <Runs trend={trend} runs={runs} {...(selection && { selection })} /> : null}
        </td>
      </tr>
    </tbody>
  );
}

/** The newest first. */
function Runs({
  trend,
  runs,
  selection,
}: Pick<QuestionView, 'trend' | 'runs'> & Pick<RowProps, 'selection'>) {
  return (
    <>
      <ul>
        {trend.toReversed().map(({ id, url, createdAt, ratio, isStep, leftOut }) => (
          <li key={id} data-left-out={leftOut !== undefined || undefined}>
            {selection === undefined ? null : (
              <Checkbox
                aria-label={`Select the run of ${printWhen(createdAt)}`}
                checked={selection.selected.includes(id)}
                onChange={() => selection.onSelect(id)}
              />
            )}
            <Link to={url}>{printWhen(createdAt)}</Link>
            <span>{printChange(ratio.center, 1)}</span>
            <span>{printChangeInterval(ratio)}</span>
            {isStep ? <span>step</span> : null}
            {leftOut === undefined ? null : <span>left out: {leftOut}</span>}
          </li>
        ))}
      </ul>
      {runs > trend.length ? <p>The newest {trend.length} with a figure.</p> : null}
    </>
  );
}

/** Questions as the rows of a table: words, figures, and positions on one axis. */
type QuestionView = {
  id: string;
  newestId: string;
  /** `nginx · GET /page.html`. */
  title: string;
  /** `HTTPS or HTTP`, and what both sides have in common. */
  setting: string;
  /** Page of the newest run. */
  href: string;
  /** `+18.0 µs`, `+12.6 %`; the interval too if they are a best guess. */
  figures: readonly string[];
  /** Whether a difference is certain, or certainly within the tolerance. */
  isClear: boolean;
  shift: ShiftRow | null;
  trend: readonly TrendRun[];
  runs: number;
  /** Number of runs in the answer: the newest and those that it pools. */
  counted: number;
  newestAt: number;
  quality: Quality | null;
  look: Look;
};

/** Each row has its own verdict. The axis contains the clear rows, and others unless they are much wider. */
function questionViews(lines: readonly QuestionLine[]): { views: QuestionView[]; axis: ShiftAxis } {
  const views = lines.map(viewOf);
  const intervalsOf = (clear: boolean) =>
    views.flatMap(({ shift, isClear }) => (shift === null || isClear !== clear ? [] : [shift.interval]));
  return { views, axis: shiftAxis(intervalsOf(true), intervalsOf(false), usualTolerance) };
}

function viewOf({ id, newest, runs, trend }: QuestionLine): QuestionView {
  const { baseline, comparison } = sidesOf(newest.sides);
  const { found, verdict, tls, scenario, target, settings = [] } = newest;
  const named = found === undefined || found.metric === 'cpu_at_load' ? [] : [metricOf(found.metric).title];
  const common = {
    ...{ id, newestId: newest.id, runs, trend, isClear: false },
    counted: runs - (newest.leftOut?.length ?? 0),
    title: `${target} · ${scenario}`,
    setting: [
      `${comparison.label} or ${baseline.label}`,
      ...(tls === undefined ? [] : [tls]),
      ...settings,
      ...named,
    ].join(' · '),
    href: newest.url,
    newestAt: newest.createdAt,
  };
  if (found === undefined) {
    const look = verdict === null ? lookOfState(newest.state) : lookOfOutcome(verdict.outcome, 1, 'lower');
    return { ...common, figures: ['–'], shift: null, quality: null, look };
  }
  const { metric, outcome, ratio, amount, quality } = found;
  const certain = outcome === 'overhead' || outcome === 'no_overhead';
  const interval = printChangeInterval(ratio);
  return {
    ...{ ...common, quality, isClear: certain },
    figures: [amount, printChange(ratio.center, intervalDecimals(ratio)), certain ? null : interval].filter(
      (each) => each !== null,
    ),
    shift: {
      ...{ interval: changeOf(ratio), alone: null, marks: [], control: null },
      // A run with another tolerance says so on its page.
      tolerance: usualTolerance,
      label: `95 % CI ${interval}`,
    },
    look: lookOfOutcome(outcome, ratio.center - 1, metricOf(metric).better),
  };
}
