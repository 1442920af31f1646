import { problem } from '../../../../shared/base/problem.ts';
import { binMs } from '../../../../shared/measurement/bin.ts';
import { isOver } from '../../../../shared/measurement/measurement.ts';
import {
  binMeasurement,
  buryBinned,
  listBinned,
  listBinnedUntil,
  unbinMeasurement,
} from '../../database/bin.ts';
import { listLines } from '../../database/list-measurements.ts';
import {
  buryMeasurement,
  findMeasurement,
  findState,
  type MeasurementRecord,
} from '../../database/measurements.ts';
import { isDeleteToken } from '../create/delete-token.ts';
import type { Given } from '../given.ts';
import type { Measurements } from '../measurements.ts';
import { bringFiguresOf } from '../read/bring-history-up-to-date.ts';
import { findKnown, findStored } from './find-known.ts';

type Parts<House> = Pick<Given<House>, 'database' | 'summaries' | 'kindOf' | 'onError'> & {
  /** Whether it is queued, running, or has an end that is not stored yet. */
  isAlive(id: string): boolean;
};

type Bin = Pick<Measurements, 'bin' | 'listBin' | 'restore' | 'remove'> & {
  /** Removes for good what has been in the bin for 30 days. `now` in milliseconds since 1970. */
  emptyBin(now: number): Promise<void>;
};

/** Where what is deleted waits, with the way back. */
export function openBin<House>({ database, summaries, kindOf, isAlive, onError }: Parts<House>): Bin {
  /** Throws wrong_delete_token, run_unfinished. */
  function demandDeletable({ id, state, deleteTokenHash }: MeasurementRecord, deleteToken: string): void {
    if (!isDeleteToken(deleteToken, deleteTokenHash)) {
      throw problem('wrong_delete_token', 'The delete token does not match this measurement.');
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
