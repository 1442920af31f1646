import type { Batch, BatchLink, CreatedBatch } from '../../../../shared/measurement/batch.ts';
import type { Labels } from '../../../../shared/measurement/runner.ts';
import type { Asker } from '../../../../shared/team/audit.ts';

/** One request that several runners measure at once. */
export type Batches = {
  /**
   * Queues a measurement for each site, or none. The request is judged once, so all of them have the same plan and seed. The
   * idempotency key works as for one measurement. Throws what making one throws, and says which site it is about.
   * @param body as for one measurement, without labels
   */
  create(
    kind: string,
    body: object,
    sites: readonly Labels[],
    idempotencyKey: string | null,
    by?: Asker,
  ): Promise<CreatedBatch>;
  /** Throws batch_not_found, run_deleted. */
  show(id: string): Promise<Batch>;
  /** Null for a measurement that is part of none. */
  linkFrom(measurementId: string): Promise<BatchLink | null>;
};
