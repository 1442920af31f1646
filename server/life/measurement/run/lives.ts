import type { ProblemError } from '../../../../shared/base/problem.ts';
import type { SecretValues } from '../../../../shared/scenario/scenario.ts';
import type { MeasurementRecord } from '../../database/measurements.ts';
import type { Life } from './life.ts';

/** The measurements that are not over, as this server has them: waiting, going on, or ended and not stored yet. */
export type Lives<House> = {
  /** A new one, which goes to the end of the queue; once `stopped` is aborted it ends instead. Throws queue_full, server_closing. */
  begin(record: MeasurementRecord, secrets: SecretValues, stopped: AbortSignal): void;
  of(id: string): Life<House> | undefined;
  ids(): string[];
  /** Takes one out of the queue and ends it; resolves when that is stored, or cannot be. Null when it does not wait. */
  endWaiting(id: string, why: ProblemError): Promise<void> | null;
  /**
   * Takes up what is unfinished in the store and not known here: what was running is interrupted, what was queued is
   * queued again, unless all load was stopped meanwhile. An earlier server leaves such, and a store that failed.
   * @param but what is left out, as somebody is about to begin it
   */
  takeUp(but: ReadonlySet<string>, stopped?: AbortSignal): Promise<void>;
  /** Measures one next whose fence is ours, with what was kept of it. */
  take(record: MeasurementRecord, stopped?: AbortSignal): Promise<void>;
  /** Ends one whose fence is ours, with what was kept of it. */
  endTaken(
    record: MeasurementRecord,
    state: 'incomplete' | 'interrupted',
    why: ProblemError,
    discard?: boolean,
  ): Promise<void>;
  /** Interrupts what is running and waits until that is stored, as long as the store can be waited for. */
  close(): Promise<void>;
};
