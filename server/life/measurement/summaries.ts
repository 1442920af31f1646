import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { problem } from '../../../shared/base/problem.ts';
import type { Headline, MeasurementState } from '../../../shared/measurement/measurement.ts';
import { binMs } from '../../../shared/results/schedule.ts';
import type { MeasurementSummary } from '../../../shared/results/summary.ts';
import type { Digest } from '../../../shared/words/digest.ts';
import type { AnyDocument, AnyKind, Kind } from '../../kinds/kind.ts';
import { findBinned, withDatabaseAlone } from '../database/bin.ts';
import { listBlocks } from '../database/events.ts';
import { listAnnotations } from '../database/insert-measurement.ts';
import { findLine, listLines, type MeasurementLine } from '../database/list-measurements.ts';
import { findState, isBuried, readDocument } from '../database/measurements.ts';
import type { Database, DatabaseOptions } from '../database/open-database.ts';
import { listScheduleIds } from '../database/schedules.ts';

type Find<Found> = () => Promise<Found | null>;

/** Finds a measurement, unless it is in the bin. Throws run_not_found, run_deleted, run_binned. */
export async function findKnown<Found>(database: Database, id: string, find: Find<Found>): Promise<Found> {
  const found = await findStored(database, id, find);
  const deletedAt = await findBinned(database, id);
  if (deletedAt === null) return found;
  throw problem(
    'run_binned',
    `It was deleted on ${printBinDay(deletedAt)} and can be restored until ${printBinDay(deletedAt + binMs)}.`,
  );
}

/** The same, in the bin or not. */
export async function findStored<Found>(database: Database, id: string, find: Find<Found>): Promise<Found> {
  const found = await find();
  if (found !== null) return found;
  if (await isBuried(database, id)) throw problem('run_deleted', 'It was deleted.');
  throw problem('run_not_found', `No run has the ID ${id}.`);
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

function printBinDay(unixMs: number): string {
  return day.format(unixMs);
}

type Parts<House> = {
  database: Database;
  kindOf(name: string): AnyKind<House>;
  /** Places in the queue of those that wait. */
  placesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
};

/** Lines of lists. */
export type Summaries = {
  /** Line of a stored measurement. Throws run_not_found, run_deleted, run_binned. */
  storedSummary(id: string): Promise<MeasurementSummary>;
  /** The same of several, without what is not there. */
  storedSummaries(ids: readonly string[]): Promise<MeasurementSummary[]>;
  summariesOf(lines: readonly MeasurementLine[]): Promise<MeasurementSummary[]>;
  /** Line of a measurement that is alive, without its annotation if the store is slow or fails. */
  liveSummary(line: MeasurementLine): Promise<MeasurementSummary>;
};

/** Columns that are stored apart from measurements, by their IDs. */
type Written = {
  labels: Awaited<ReturnType<typeof listAnnotations>>;
  schedules: Awaited<ReturnType<typeof listScheduleIds>>;
  places: ReadonlyMap<string, number>;
};

/** An answer waits this long for a slow store, then goes without it. */
const patienceMs = 1_000;

/** Makes a kind's line of a measurement, with its annotation, its schedule and its place in the queue. */
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

/** Stored line of a list: the part of its kind, and the headline of one that has finished. */
export function summarise<Document extends AnyDocument>(
  kind: Pick<Kind<unknown, unknown, unknown, Document, unknown>, 'headline' | 'summaryOf'>,
  document: Document,
): Record<string, unknown> {
  const headline = document.state === 'finished' ? kind.headline(document) : null;
  return { ...kind.summaryOf(document), ...(headline === null ? {} : { headline }) };
}

const versionedSchema = z.looseObject({ schemaVersion: z.int().positive() });

type Versioned<Document extends AnyDocument> = Pick<
  Kind<unknown, unknown, unknown, Document, unknown>,
  'name' | 'documentVersion' | 'upgraders' | 'documentSchema'
>;

/** A stored document of any version, as today's. Throws run_newer for one that a later version wrote, run_older for one that cannot be read. */
export function upgradeDocument<Document extends AnyDocument>(
  { name, documentVersion, upgraders, documentSchema }: Versioned<Document>,
  value: unknown,
): Document {
  let document: Record<string, unknown> & { schemaVersion: number } = versionedSchema.parse(value);
  if (document.schemaVersion > documentVersion) {
    throw problem(
      'run_newer',
      `It uses schema ${document.schemaVersion}. This version reads schemas up to ${documentVersion}.`,
    );
  }
  for (let version = document.schemaVersion; version < documentVersion; version++) {
    const upgrade = upgraders[version];
    if (upgrade === undefined) throw new Error(`${name} has no upgrade from schema ${version}`);
    document = { ...upgrade(document), schemaVersion: version + 1 };
  }
  const parsed = documentSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  const part = parsed.error.issues[0]?.path.join('.') || 'document';
  throw problem('run_older', `This version cannot read its “${part}”.`, { cause: parsed.error });
}

/** Texts of a kind for one of its documents. */
export type Said = {
  /** Caption of its kind. */
  caption: string;
  /** Headline of one that has finished; null if there is nothing to say. */
  headline(): Headline | null;
  /** The top of its page; null where it has its headline only. */
  digest(): Digest | null;
  /** Configuration of its servers; null if none was started. */
  configuration(): string | null;
  /** A further form of it, by its suffix; null where its kind has no such form. */
  form(suffix: string): string | null;
};

export function saidOf<House>(kind: AnyKind<House>, document: AnyDocument): Said {
  return {
    caption: kind.caption,
    headline: () => kind.headline(document),
    digest: () => kind.digest?.(document) ?? null,
    form: (suffix) => kind.form?.(document, suffix) ?? null,
    configuration: () => kind.configuration?.(document) ?? null,
  };
}

/** Reads the document of a measurement that is over, as it was stored. Throws run_not_found, run_deleted, run_binned, run_unfinished. */
export type ReadStored = (id: string) => Promise<string>;

/** Reads results if no server has the data directory. Measurements that wait in it are not taken up, so nothing is measured. */
export function withStoredAlone<Result>(
  place: DatabaseOptions,
  use: (read: ReadStored) => Promise<Result>,
): Promise<Result> {
  return withDatabaseAlone(place, (database) => use((id) => readStored(database, id)));
}

async function readStored(database: Database, id: string): Promise<string> {
  const { state } = await findKnown(database, id, () => findState(database, id));
  const stored = await readDocument(database, id);
  if (stored === null) throw problem('run_unfinished', `It is ${state}.`);
  return await stored.unpack();
}

/** Blocks of a measurement, in order. @param place only the blocks of this place */
export async function readBlocks<House>(
  database: Database,
  { blockSchema }: Pick<AnyKind<House>, 'blockSchema'>,
  id: string,
  place?: number,
): Promise<unknown[]> {
  const blocks = await listBlocks(database, id, place);
  return blocks.map((block) => blockSchema.parse(block));
}

/** The permalink of a measurement, without the host. */
export function addressOf<House>({ page }: AnyKind<House>, id: string): string {
  return `/${page}/${id}`;
}
