import { binMeasurement } from '../../database/bin.ts';
import { listRetirable } from '../../database/list-retirable.ts';
import type { Database } from '../../database/open-database.ts';
import { lookAgain } from '../look-again.ts';

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
