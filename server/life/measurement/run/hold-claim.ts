import { problem } from '../../../../shared/base/problem.ts';
import type { Claim } from '../../database/fenced.ts';
import { claimMeasurement } from '../../database/measurements.ts';
import type { Database } from '../../database/open-database.ts';

/** The fence that one life writes with. */
export type HeldClaim = {
  current(): Claim;
  /** Takes it from whoever else may have it, unless it is ours already. Throws claim_lost. */
  take(): Promise<void>;
};

/** @param taken whether the fence is ours already */
export function holdClaim(database: Database, { id, fence }: Claim, taken: boolean): HeldClaim {
  let held: { claim: Claim; ours: boolean } = { claim: { id, fence }, ours: taken };
  return {
    current: () => held.claim,
    async take() {
      if (held.ours) return;
      const claim = await claimMeasurement(database, id);
      if (claim === null) throw problem('claim_lost', 'The measurement has ended or was deleted.');
      held = { claim, ours: true };
    },
  };
}
