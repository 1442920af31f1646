import { isOver } from '../../../../shared/measurement/measurement.ts';
import { findState, listUnfinishedIds } from '../../database/measurements.ts';
import type { Database } from '../../database/open-database.ts';

/**
 * The delete tokens of measurements that are not over, for a request that is repeated. A token goes to nobody once its
 * measurement is over, whoever ended it, as idempotency keys may be guessed.
 */
export type DeleteTokens = {
  keep(id: string, token: string): void;
  of(id: string): Promise<string | null>;
  forget(id: string): void;
  /** Forgets those of all that another process has ended. */
  forgetOver(): Promise<void>;
};

export function openDeleteTokens(database: Database): DeleteTokens {
  const tokens = new Map<string, string>();
  return {
    keep: (id, token) => void tokens.set(id, token),
    async of(id) {
      const token = tokens.get(id);
      if (token === undefined) return null;
      const found = await findState(database, id);
      return found === null || isOver(found.state) ? null : token;
    },
    forget: (id) => void tokens.delete(id),
    async forgetOver() {
      // What is made while the store answers is not in its answer.
      const known = [...tokens.keys()];
      if (known.length === 0) return;
      const unfinished = new Set(await listUnfinishedIds(database));
      for (const id of known) if (!unfinished.has(id)) tokens.delete(id);
    },
  };
}
