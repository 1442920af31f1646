import { intervalDecimals, printChange, printChangeInterval } from '../../shared/base/quantity.ts';
import { metricOf } from '../../shared/kinds/comparison/metric.ts';
import type { Quality } from '../../shared/kinds/comparison/quality.ts';
import type { QuestionLine, TrendRun } from '../../shared/results/question-line.ts';
import { changeOf, type ShiftAxis, shiftAxis, sidesOf } from './option-form.ts';
import { type Look, lookOfOutcome, lookOfState } from './outcome.ts';
import type { ShiftRow } from './shown-delta.ts';

/** Questions as the rows of a table: words, figures, and positions on one axis. */
export type QuestionView = {
  id: string;
  /** `HTTPS or HTTP`. */
  title: string;
  /** Over what, and what both sides have in common. */
  setting: string;
  /** Of the newest run. */
  href: string;
  /** `+12.6 %`, or the interval alone where no difference is certain. */
  figure: string;
  amount: string | null;
  shift: ShiftRow | null;
  tolerance: number;
  trend: readonly TrendRun[];
  runs: number;
  newestAt: number;
  quality: Quality | null;
  look: Look;
};

/** What is too little to matter; a run that was asked otherwise says so on its page. */
const tolerance = 0.05;

export function questionViews(lines: readonly QuestionLine[]): { views: QuestionView[]; axis: ShiftAxis } {
  const views = lines.map(viewOf);
  const drawn = views.flatMap(({ shift, look }) =>
    shift === null
      ? []
      : [{ interval: shift.interval, certain: look.tone === 'note' || look.tone === 'good' }],
  );
  return { views, axis: shiftAxis(drawn, tolerance) };
}

function viewOf({ id, newest, runs, trend }: QuestionLine): QuestionView {
  const { baseline, comparison } = sidesOf(newest.sides);
  const { found, verdict, tls, scenario, target, settings = [] } = newest;
  const named = found === undefined || found.metric === 'cpu_at_load' ? [] : [metricOf(found.metric).title];
  const common = {
    ...{ id, runs, trend, tolerance },
    title: `${comparison.label} or ${baseline.label}`,
    setting: [`${scenario} on ${target}`, ...(tls === undefined ? [] : [tls]), ...settings, ...named].join(
      ' · ',
    ),
    href: newest.url,
    newestAt: newest.createdAt,
  };
  if (found === undefined) {
    const look = verdict === null ? lookOfState(newest.state) : lookOfOutcome(verdict.outcome, 1, 'lower');
    return { ...common, figure: '–', amount: null, shift: null, quality: null, look };
  }
  const { metric, outcome, ratio, amount, quality } = found;
  const certain = outcome === 'overhead' || outcome === 'no_overhead';
  const interval = printChangeInterval(ratio);
  return {
    ...{ ...common, amount, quality },
    figure: certain ? printChange(ratio.center, intervalDecimals(ratio)) : interval,
    shift: { interval: changeOf(ratio), marks: [], twin: null, label: `95 % CI ${interval}` },
    look: lookOfOutcome(outcome, ratio.center - 1, metricOf(metric).better, tolerance),
  };
}
