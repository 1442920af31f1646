import type { MeasurementSummary } from '../../shared/measurement/measurement-summary.ts';
import { type Look, lookOfState } from './outcome.ts';
import { runLine } from './run-line.ts';
import { printAgo } from './when.ts';

/** What a list says of a measurement: what it found, or how it stands. */
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

function plainLine({ title, state, problem, queuePosition }: MeasurementSummary): Line {
  const standing = problem?.title ?? (queuePosition === null ? null : `number ${queuePosition} in the queue`);
  return { title, details: standing === null ? [] : [standing], look: lookOfState(state) };
}
