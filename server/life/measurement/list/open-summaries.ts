import { setTimeout as pause } from 'node:timers/promises';
import type { MeasurementState } from '../../../../shared/measurement/measurement.ts';
import type { MeasurementSummary } from '../../../../shared/measurement/measurement-summary.ts';
import type { AnyKind } from '../../../kinds/kind.ts';
import { listAnnotations } from '../../database/annotations.ts';
import { findLine, listLines, type MeasurementLine } from '../../database/list-measurements.ts';
import type { Database } from '../../database/open-database.ts';
import { listScheduleIds } from '../../database/schedules.ts';
import { addressOf } from './address-of.ts';
import { findKnown } from './find-known.ts';

type Parts<House> = {
  database: Database;
  kindOf(name: string): AnyKind<House>;
  /** Places in the queue of those that wait. */
  placesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
};

/** Lines of lists. */
export type Summaries = {
  /** Of a stored one. Throws run_not_found, run_deleted, run_binned. */
  storedSummary(id: string): Promise<MeasurementSummary>;
  /** The same of several, without what is not there. */
  storedSummaries(ids: readonly string[]): Promise<MeasurementSummary[]>;
  summariesOf(lines: readonly MeasurementLine[]): Promise<MeasurementSummary[]>;
  /** Of one that is alive. When the store is slow or fails, its annotation is left out. */
  liveSummary(line: MeasurementLine): Promise<MeasurementSummary>;
};

/** What stands beside measurements, by their IDs. */
type Written = {
  labels: Awaited<ReturnType<typeof listAnnotations>>;
  schedules: Awaited<ReturnType<typeof listScheduleIds>>;
  places: ReadonlyMap<string, number>;
};

/** An answer waits this long for a slow store, then goes without it. */
const patienceMs = 1_000;

/** What a kind says of a measurement in a line, with what stands beside it: its annotation, schedule and place in the queue. */
export function openSummaries<House>({ database, kindOf, placesOf }: Parts<House>): Summaries {
  function summaryOf(
    { summary, title: generatedTitle, ...line }: MeasurementLine,
    written: Written,
  ): MeasurementSummary {
    const annotation = written.labels.get(line.id);
    const scheduleId = written.schedules.get(line.id);
    const shown = {
      ...summary,
      ...line,
      ...{ title: annotation?.title ?? generatedTitle, generatedTitle, tags: annotation?.tags ?? [] },
      ...(scheduleId !== undefined && { scheduleId }),
      url: addressOf(kindOf(line.kind), line.id),
      queuePosition: written.places.get(line.id) ?? null,
    };
    // Its kind has written what it alone adds.
    return shown as unknown as MeasurementSummary;
  }

  async function writtenOn(lines: readonly { id: string; state: MeasurementState }[]): Promise<Written> {
    const ids = lines.map(({ id }) => id);
    const waiting = lines.filter(({ state }) => state === 'queued');
    const [labels, schedules, places] = await Promise.all([
      listAnnotations(database, ids),
      listScheduleIds(database, ids),
      placesOf(waiting.map(({ id }) => id)),
    ]);
    return { labels, schedules, places };
  }

  async function summariesOf(lines: readonly MeasurementLine[]): Promise<MeasurementSummary[]> {
    const written = await writtenOn(lines);
    return lines.map((line) => summaryOf(line, written));
  }

  async function storedSummary(id: string): Promise<MeasurementSummary> {
    const line = await findKnown(database, id, () => findLine(database, id));
    return summaryOf(line, await writtenOn([line]));
  }

  return {
    storedSummary,
    storedSummaries: async (ids) => summariesOf(await listLines(database, ids)),
    summariesOf,

    async liveSummary(line) {
      const nothing: Written = { labels: new Map(), schedules: new Map(), places: new Map() };
      const inTime = <Found>(found: Promise<Found>, otherwise: Found) =>
        Promise.race([found, pause(patienceMs, otherwise, { ref: false })]).catch(() => otherwise);
      // Its place is known without the store where it waits in this process.
      const [written, places] = await Promise.all([
        inTime(writtenOn([line]), nothing),
        inTime(placesOf([line.id]), nothing.places),
      ]);
      return summaryOf(line, { ...written, places });
    },
  };
}
