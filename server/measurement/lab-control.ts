import type { CreatedRun } from '../../shared/api.ts';
import type { LabRequest } from '../../shared/lab-document.ts';
import type { LabSummary } from '../../shared/lab-summary.ts';

/** Everything that the edges (routes, command line) can ask of the TLS lab. The same life as a run's. */
export type LabControl = {
  /** Queues a measurement. The same idempotency key with the same request returns what it made before. */
  create(request: LabRequest, idempotencyKey: string | null): Promise<CreatedRun>;
  /** Returns at once; the measurement ends soon after, and its log with `end`. Discarding leaves a tombstone. */
  cancel(id: string, keep: boolean): Promise<LabSummary>;
  /** The document as JSON text, and whether it is final. Throws run_not_found, run_deleted, run_newer. */
  readDocument(id: string): Promise<{ text: string; final: boolean }>;
  /** Whether it is over and its log has ended. */
  isOver(id: string): Promise<boolean>;
  queuePosition(id: string): number | null;
};
