import { setTimeout as pause } from 'node:timers/promises';
import { problem } from '../../../shared/base/problem.ts';
import { binMs } from '../../../shared/measurement/bin.ts';
import type { Label, ShownLabel } from '../../../shared/measurement/label.ts';
import { isOver, type MeasurementState } from '../../../shared/measurement/measurement.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import {
  binMeasurement,
  buryBinned,
  listBinned,
  listBinnedUntil,
  unbinMeasurement,
} from '../database/bin.ts';
import { findLabel, listLabels, storeLabelChange } from '../database/labels.ts';
import { listChoices } from '../database/list-choices.ts';
import {
  findLine,
  listLines,
  listMeasurements,
  type MeasurementLine,
} from '../database/list-measurements.ts';
import {
  buryMeasurement,
  findMeasurement,
  findState,
  type MeasurementRecord,
} from '../database/measurements.ts';
import type { Database } from '../database/open-database.ts';
import { listScheduleIds } from '../database/schedules.ts';
import { addressOf } from './address-of.ts';
import { isDeleteToken } from './delete-token.ts';
import { findKnown, findStored } from './find-known.ts';
import { bringFiguresOf } from './history.ts';
import type { Measurements } from './measurements.ts';
import type { Summary } from './summary.ts';

type Parts<House> = {
  database: Database;
  kindOf(name: string): AnyKind<House>;
  /** Places in the queue of those that wait. */
  placesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Whether it is queued, running, or has an end that is not stored yet. */
  isAlive(id: string): boolean;
  onFault(error: unknown): void;
};

/** Where people find measurements again: the list, labels, and the bin. */
export type MeasurementList = Pick<
  Measurements,
  'list' | 'choices' | 'label' | 'relabel' | 'bin' | 'listBin' | 'restore' | 'remove'
> & {
  /** The list line of a stored one. Throws as `summary` does. */
  storedSummary(id: string): Promise<Summary>;
  /** The same of several, without what is not there. */
  summaries(ids: readonly string[]): Promise<Summary[]>;
  /** Of one that is alive. When the store is slow or fails, its label is left out. */
  liveSummary(line: MeasurementLine): Promise<Summary>;
  /** Removes for good what has been in the bin for 30 days. `now` in milliseconds since 1970. */
  emptyBin(now: number): Promise<void>;
};

/** What stands beside measurements, by their IDs. */
type Written = {
  labels: Awaited<ReturnType<typeof listLabels>>;
  schedules: Awaited<ReturnType<typeof listScheduleIds>>;
  places: ReadonlyMap<string, number>;
};

/** An answer waits this long for a slow store, then goes without it. */
const patienceMs = 1_000;

export function openList<House>({
  database,
  kindOf,
  placesOf,
  isAlive,
  onFault,
}: Parts<House>): MeasurementList {
  function summaryOf(
    { summary, title: generatedTitle, ...line }: MeasurementLine,
    written: Written,
  ): Summary {
    const label = written.labels.get(line.id);
    const scheduleId = written.schedules.get(line.id);
    return {
      ...summary,
      ...line,
      ...{ title: label?.title ?? generatedTitle, generatedTitle, tags: label?.tags ?? [] },
      ...(scheduleId !== undefined && { scheduleId }),
      url: addressOf(kindOf(line.kind), line.id),
      queuePosition: written.places.get(line.id) ?? null,
    };
  }

  async function writtenOn(lines: readonly { id: string; state: MeasurementState }[]): Promise<Written> {
    const ids = lines.map(({ id }) => id);
    const waiting = lines.filter(({ state }) => state === 'queued');
    const [labels, schedules, places] = await Promise.all([
      listLabels(database, ids),
      listScheduleIds(database, ids),
      placesOf(waiting.map(({ id }) => id)),
    ]);
    return { labels, schedules, places };
  }

  async function summariesOf(lines: readonly MeasurementLine[]): Promise<Summary[]> {
    const written = await writtenOn(lines);
    return lines.map((line) => summaryOf(line, written));
  }

  const lineOf = (id: string) => findKnown(database, id, () => findLine(database, id));

  async function storedSummary(id: string): Promise<Summary> {
    const line = await lineOf(id);
    return summaryOf(line, await writtenOn([line]));
  }

  /** Throws wrong_delete_token, run_unfinished. */
  function demandDeletable({ id, state, deleteTokenHash }: MeasurementRecord, deleteToken: string): void {
    if (!isDeleteToken(deleteToken, deleteTokenHash)) {
      throw problem('wrong_delete_token', 'The delete token does not match this measurement.');
    }
    if (isAlive(id) || !isOver(state)) throw problem('run_unfinished', `It is ${state}.`);
  }

  return {
    storedSummary,
    summaries: async (ids) => summariesOf(await listLines(database, ids)),

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

    async list(filter) {
      const { lines, nextCursor } = await listMeasurements(database, filter);
      return { summaries: await summariesOf(lines), nextCursor };
    },

    choices: () => listChoices(database),

    async label(id) {
      return shown(await lineOf(id), await findLabel(database, id));
    },

    async relabel(id, change) {
      const line = await lineOf(id);
      return shown(line, await findKnown(database, id, () => storeLabelChange(database, id, change)));
    },

    async bin(id, deleteToken) {
      const record = await findKnown(database, id, () => findMeasurement(database, id));
      demandDeletable(record, deleteToken);
      if (await binMeasurement(database, record, Date.now())) return;
      const { state } = await findKnown(database, id, () => findState(database, id));
      throw problem('run_unfinished', `It is ${state}.`);
    },

    async listBin(filter) {
      const { page, nextCursor } = await listBinned(database, filter);
      const ids = page.map(({ id }) => id);
      const summaries = await summariesOf(await listLines(database, ids));
      const known = new Map(summaries.map((summary) => [summary.id, summary]));
      const binned = page.flatMap(({ id, deletedAt }) => {
        const measurement = known.get(id);
        return measurement === undefined ? [] : [{ measurement, deletedAt, removedAt: deletedAt + binMs }];
      });
      return { binned, nextCursor };
    },

    async restore(id, deleteToken) {
      const record = await findStored(database, id, () => findMeasurement(database, id));
      demandDeletable(record, deleteToken);
      if (await unbinMeasurement(database, id)) {
        await bringFiguresOf({ database, onFault }, id, kindOf(record.kind));
      }
      return storedSummary(id);
    },

    async remove(id, deleteToken) {
      demandDeletable(await findStored(database, id, () => findMeasurement(database, id)), deleteToken);
      await buryMeasurement(database, id, Date.now());
    },

    async emptyBin(now) {
      const until = now - binMs;
      for (const id of await listBinnedUntil(database, until)) await buryBinned(database, id, { until, now });
    },
  };
}

function shown({ title: generatedTitle }: MeasurementLine, { title, note, tags }: Label): ShownLabel {
  return { title: title ?? generatedTitle, generatedTitle, note, tags };
}
