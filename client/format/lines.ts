import { metricOf } from '../../shared/kinds/comparison/metric.ts';
import { printLength } from '../../shared/kinds/comparison/options.ts';
import type { MeasurementSummary, RunSummary } from '../../shared/results/summary.ts';
import { type Look, lookOfOutcome, lookOfState } from './looks.ts';
import { printAgo } from './printed-figures.ts';
import { sidesOf } from './sides.ts';

/** Line of a list: the finding of a measurement, or its state. */
type Line = { title: string; details: string[]; look: Look };

export function describeMeasurements(summaries: readonly MeasurementSummary[], nowMs = Date.now()) {
  return summaries.map((summary) => {
    const { title, details, look } = describeMeasurement(summary);
    const detail = [...details, printAgo(summary.createdAt, nowMs)].join(' · ');
    return { href: summary.url, title, detail, look };
  });
}

/** One that somebody gave a title is called by it, and then by what it would be called without. */
export function describeMeasurement(summary: MeasurementSummary): Line {
  const { generatedTitle } = summary;
  const titled = { ...summary, title: generatedTitle };
  const described = titled.kind === 'comparison' ? runLine(titled) : plainLine(titled);
  const { scheduleId } = summary;
  const line =
    scheduleId === undefined ? described : { ...described, details: [...described.details, 'repeated'] };
  if (!hasOwnTitle(summary)) return line;
  return { ...line, title: summary.title, details: [line.title, ...line.details] };
}

export function hasOwnTitle({ title, generatedTitle }: MeasurementSummary): boolean {
  return title !== generatedTitle;
}

function plainLine(summary: MeasurementSummary): Line {
  const { title, headline, state, problem, queuePosition } = summary;
  const look = lookOfState(state);
  if (headline !== undefined) return { title: headline.title, details: [...secondOf(summary), title], look };
  const standing = problem?.title ?? (queuePosition === null ? null : `number ${queuePosition} in the queue`);
  return { title, details: standing === null ? [] : [standing], look };
}

function runLine(run: RunSummary) {
  const { baseline, comparison } = sidesOf(run.sides);
  return {
    title: titleOf(run),
    details: [
      ...secondOf(run),
      `${run.scenario} on ${run.target}`,
      `${baseline.label} and ${comparison.label}`,
      ...(run.tls === undefined ? [] : [run.tls]),
      printLength(run.length),
    ],
    look: lookOfRun(run),
  };
}

function secondOf({ headline }: MeasurementSummary): string[] {
  return headline === undefined ? [] : [headline.second];
}

function titleOf({ headline, problem, state, queuePosition, earlier }: RunSummary): string {
  if (earlier === true) return 'Made by an earlier version';
  if (headline !== undefined) return headline.title;
  if (problem !== null) return problem.title;
  if (state === 'queued')
    return queuePosition === null ? 'Waiting' : `Waiting, number ${queuePosition} in the queue`;
  return state === 'running' ? 'Measuring now' : lookOfState(state).word;
}

function lookOfRun({ found, verdict, state }: RunSummary): Look {
  if (verdict === null || state !== 'finished') return lookOfState(state);
  const { better } = metricOf(found?.metric ?? verdict.metric);
  const usual = better === 'lower' ? 1 : -1;
  const shift = found === undefined ? usual : found.ratio.center - 1;
  return lookOfOutcome(found?.outcome ?? verdict.outcome, shift, better);
}
