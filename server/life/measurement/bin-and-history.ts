import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import type { SqlRequest, SqlResult } from '../../../shared/results/history.ts';
import { binMs } from '../../../shared/results/schedule.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import {
  binMeasurement,
  buryBinned,
  listBinned,
  listBinnedUntil,
  listRetirable,
  unbinMeasurement,
  withDatabaseAlone,
} from '../database/bin.ts';
import { listLines } from '../database/list-measurements.ts';
import {
  buryMeasurement,
  findMeasurement,
  findState,
  type MeasurementRecord,
} from '../database/measurements.ts';
import type { Database, DatabaseOptions } from '../database/open-database.ts';
import { listWithoutFigures, openHistory, storeFiguresOf } from '../history/open-history.ts';
import type { Measurements } from './asked-measurements.ts';
import { type Given, lookAgain } from './create.ts';
import { findKnown, findStored, upgradeDocument } from './summaries.ts';
import { isDeleteToken } from './tokens.ts';

/** Runs SQL if no server has the data directory. Measurements that wait in it are not taken up, so nothing is measured. */
export function askHistoryAlone<House>(
  place: DatabaseOptions,
  kinds: readonly AnyKind<House>[],
  request: SqlRequest,
): Promise<SqlResult> {
  return withDatabaseAlone(place, async (database) => {
    await bringHistoryUpToDate({ database, kinds, onError: (error) => Promise.reject(error) });
    return await openHistory(place).ask(request);
  });
}

type Parts<House> = {
  database: Database;
  kinds: readonly AnyKind<House>[];
  onError(error: unknown): void;
};

/**
 * Documents that were stored before today's columns get their rows: upgraded as they are when they are opened. It is done
 * before anything is measured, which it would disturb, and once for each document.
 */
export async function bringHistoryUpToDate<House>({ kinds, ...parts }: Parts<House>): Promise<void> {
  const known = new Map(
    kinds.flatMap((kind) => (kind.figuresOf === undefined ? [] : [[kind.name, kind] as const])),
  );
  for (const { id, kind: name } of await listWithoutFigures(parts.database, [...known.keys()])) {
    const kind = known.get(name);
    if (kind !== undefined) await bringFiguresOf(parts, id, kind);
  }
}

/** The rows of one document are made again. */
export async function bringFiguresOf<House>(
  { database, onError }: Omit<Parts<House>, 'kinds'>,
  id: string,
  kind: AnyKind<House>,
): Promise<void> {
  const { figuresOf } = kind;
  if (figuresOf === undefined) return;
  await storeFiguresOf(database, id, (stored) => figuresOf(upgradeDocument(kind, stored))).catch((error) => {
    // One that cannot be opened has no rows; whoever opens it is told why.
    if (!(error instanceof ProblemError)) onError(error);
  });
}

type BinParts<House> = Pick<Given<House>, 'database' | 'summaries' | 'kindOf' | 'onError'> & {
  /** Whether it is queued, running, or has an end that is not stored yet. */
  isAlive(id: string): boolean;
};

type Bin = Pick<Measurements, 'bin' | 'listBin' | 'restore' | 'remove'> & {
  /** Removes for good what has been in the bin for 30 days. `now` in milliseconds since 1970. */
  emptyBin(now: number): Promise<void>;
};

/** Bin for deleted measurements, which can be restored. */
export function openBin<House>({ database, summaries, kindOf, isAlive, onError }: BinParts<House>): Bin {
  /** Throws wrong_delete_token, run_unfinished. */
  function demandDeletable({ id, state, deleteTokenHash }: MeasurementRecord, deleteToken: string): void {
    if (!isDeleteToken(deleteToken, deleteTokenHash)) {
      throw problem('wrong_delete_token', 'The delete token does not match this run.');
    }
    if (isAlive(id) || !isOver(state)) throw problem('run_unfinished', `It is ${state}.`);
  }

  return {
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
      const lines = await summaries.summariesOf(await listLines(database, ids));
      const known = new Map(lines.map((summary) => [summary.id, summary]));
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
        await bringFiguresOf({ database, onError }, id, kindOf(record.kind));
      }
      return summaries.storedSummary(id);
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

/** How long results stay, and how many; null for no bound. */
type Keep = { days: number | null; count: number | null };

const lookEveryMs = 60_000;
const dayMs = 24 * 3_600_000;

/** Few at a time: a measurement may be going on, and each is a transaction. */
const mostAtOnce = 20;

type Told = { onRetired(ids: readonly string[]): Promise<void> | void; onError(error: unknown): void };

/** Moves what is beyond its time to the bin, from where it can be restored, from now until it is stopped. */
export function startRetiring(database: Database, keep: Keep, told: Told): { stop(): Promise<void> } {
  const looking = lookAgain(lookEveryMs, told.onError, async () => {
    const ids = await retire(database, keep, Date.now());
    if (ids.length > 0) await told.onRetired(ids);
  });
  looking.now().catch(told.onError);
  return looking;
}

/** IDs of those that went. @param now in milliseconds since 1970 */
export async function retire(database: Database, { days, count }: Keep, now: number): Promise<string[]> {
  const before = days === null ? null : now - days * dayMs;
  const gone: string[] = [];
  for (const claim of await listRetirable(database, { before, count, limit: mostAtOnce })) {
    if (await binMeasurement(database, claim, now)) gone.push(claim.id);
  }
  return gone;
}
