import { Checkbox } from '@mantine/core';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { printChange, printChangeInterval } from '../../shared/base/quantity.ts';
import type { QuestionLine, TrendRun } from '../../shared/kinds/comparison/question-line.ts';
import { type QuestionView, questionViews } from '../format/question-view.ts';
import type { ShiftAxis } from '../format/shift-axis.ts';
import { printAgo, printWhen } from '../format/when.ts';
import { LookBadge } from './badge.tsx';
import { ShiftScale, ShiftStrip } from './shift-strip.tsx';
import classes from './table.module.css';
import { TrendLine } from './trend-line.tsx';

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
