import type { KindName } from '../../shared/measurement/measurement.ts';
import type { MeasurementSummary } from '../../shared/measurement/measurement-summary.ts';
import { type Look, lookOfState } from './outcome.ts';
import { runLine } from './run-line.ts';
import { printAgo } from './when.ts';

/** What a list says of a measurement: what it found, or how it stands. */
type Line = { title: string; details: string[]; look: Look };
type SummaryOf<Kind> = Extract<MeasurementSummary, { kind: Kind }>;

/** The one place of lists that knows the kinds. */
const kindLines: {
  [Kind in KindName]: { plural: string; describe(summary: SummaryOf<Kind>): Line };
} = {
  comparison: { plural: 'Runs', describe: runLine },
  handshakes: { plural: 'Handshakes', describe: plainLine },
  sizes: { plural: 'Sizes', describe: plainLine },
  servers: { plural: 'Servers', describe: plainLine },
  speed: { plural: 'Speed', describe: plainLine },
  visits: { plural: 'Visits', describe: plainLine },
  distance: { plural: 'Distances', describe: plainLine },
};

export function nameKind(kind: KindName): string {
  return kindLines[kind].plural;
}

/** Measurements as the entries of a list. */
export function describeMeasurements(summaries: readonly MeasurementSummary[], nowMs = Date.now()) {
  return summaries.map((summary) => {
    const { title, details, look } = describeMeasurement(summary);
    const detail = [...details, printAgo(summary.createdAt, nowMs)].join(' · ');
    return { href: summary.url, title, detail, look };
  });
}

/** One that somebody gave a title is called by it, and then by what it would be called without. */
export function describeMeasurement(summary: MeasurementSummary): Line {
  const describe: (summary: never) => Line = kindLines[summary.kind].describe;
  const { generatedTitle } = summary;
  const described = describe({ ...summary, title: generatedTitle } as never);
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
