import type { Transaction } from 'kysely';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import type { Database } from './open-database.ts';
import type { Tables } from './tables.ts';

/** A measurement as the server that has it may write it: until another one takes it, which raises its fence. */
export type Claim = { id: string; fence: number };

/**
 * Writes in one transaction, if the claim still holds. A write that was thought to have failed may be repeated.
 * Throws claim_lost.
 */
export async function fenced(
  { queries }: Database,
  { id, fence }: Claim,
  write: (transaction: Transaction<Tables>) => Promise<unknown>,
): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    // The update locks the row, so nobody takes the measurement before the commit.
    const held = await transaction
      .updateTable('measurements')
      .set({ fence })
      .where('id', '=', id)
      .where('fence', '=', fence)
      .returning('id')
      .execute();
    if (held.length === 0)
      throw problem('claim_lost', 'Another server has taken this measurement, or it was deleted.');
    await write(transaction);
  });
}

export function isClaimLost(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.code === 'claim_lost';
}
