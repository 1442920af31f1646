import type { CreatedRun, CreateRun, PreflightRequest } from '../../shared/api.ts';
import type { DryRunReport } from '../../shared/dry-run.ts';
import type { PreflightReport } from '../../shared/preflight.ts';
import type { RunSummary } from '../../shared/run.ts';

/** Everything that the edges (routes, command line) can ask of the runs. */
export type RunControl = {
  /** Queues a run. The same idempotency key with the same request returns the run that it made before. */
  create(request: CreateRun, idempotencyKey: string | null): Promise<CreatedRun>;
  preflight(request: PreflightRequest): Promise<PreflightReport>;
  /** A preflight that tells each step's answers. */
  dryRun(request: PreflightRequest): Promise<DryRunReport>;
  /** Returns at once; the run ends soon after, and its log with `end`. Discarding leaves a tombstone. */
  cancel(id: string, keep: boolean): Promise<RunSummary>;
  /** The document as JSON text, and whether it is final. Throws run_not_found, run_deleted, run_newer. */
  readDocument(id: string): Promise<{ text: string; final: boolean }>;
  /** 1 is next; null when it does not wait. */
  queuePosition(id: string): number | null;
  status(): { running: string | null; queued: number };
};
