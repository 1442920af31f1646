import { problem } from '../../../shared/base/problem.ts';
import type { ProgressEvent } from '../../../shared/measurement/measurement.ts';
import type { Labels, Runner } from '../../../shared/measurement/runner.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import type { Asker } from '../../../shared/team/team.ts';
import type { Enroll } from '../database/insert-measurement.ts';
import type { MeasurementRecord } from '../database/measurements.ts';
import type { Wish } from '../database/runners.ts';
import type { EventLog } from './event-log.ts';

/** Origin of a measurement, which is not part of its request. */
export type Origin = {
  by: Asker;
  /** Schedule that it is measured for, whose token then deletes it. */
  schedule?: { scheduleId: string; deleteTokenHash: string };
};

/** Told what is done to the hosts that a request names. `note` is the address of its result; null where there is none. */
export type NoteLoad = (
  by: Asker,
  what: 'launched' | 'checked',
  request: unknown,
  note: string | null,
) => Promise<void>;

/** Queue of measurements for the one that measures them: this process, in order of arrival, or any runner on the database. */
export type Dispatch = {
  /**
   * Throws queue_full, server_closing, and as `demandRunner`.
   * @param sites the labels of each measurement that is to be queued
   * @param here whether they need what only this process has
   */
  demandRoom(sites: readonly Labels[], here?: boolean): Promise<void>;
  /** Throws runners_off, runner_unknown, runner_outdated where nobody could measure it. */
  demandRunner(labels: Labels): Promise<void>;
  /** Stores, with a measurement, that it waits. Until it begins, it is taken up by nobody here. */
  enroll(id: string, labels: Labels, here: boolean): Enroll;
  /** After it was stored; once `stopped` is aborted it ends instead. Throws queue_full, server_closing. */
  begin(record: MeasurementRecord, secrets: SecretValues, stopped: AbortSignal): void;
  /** Instead of that, where something speaks against it. */
  withdraw(id: string): void;
  /** Like `begin`, for one that was queued before. */
  beginAgain(id: string, stopped: AbortSignal): Promise<void>;
  /** Takes up unfinished measurements that no process has. */
  takeUp(): Promise<void>;
  /** Asks the process that has a measurement to end it. False when there is none. */
  ask(id: string, wish: Wish): Promise<boolean>;
  /** Asks all others to end what they measure, and ends what waits; returns how much that was. */
  askAll(): Promise<number>;
  /** Places in the queue of those that wait: 1 is next. */
  placesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Makes the log of one that another process measures ready to be followed. */
  mirror(id: string): Promise<void>;
  /** Same as `follow` of the log; null if that is not open. */
  follow: EventLog['follow'];
  /** Latest progress from its runner; null before that, and without runners. */
  progressOf(id: string): ProgressEvent | null;
  /** By the IDs of measurements; null where this process measures alone. */
  runners(): Promise<{
    runners: (Omit<Runner, 'busy'> & { busy: string | null })[];
    /** They wait, and no runner that is here has their labels. */
    stranded: { id: string; labels: Labels }[];
  } | null>;
  /** Takes nothing more. */
  close(): Promise<void>;
};

/** Ends what loads a target without waiting in the queue: checks and probes. */
export type StopSwitch = {
  /** Aborted with load_stopped the next time that all load is stopped. */
  signal(): AbortSignal;
  press(): void;
};

export function openStopSwitch(): StopSwitch {
  let controller = new AbortController();
  return {
    signal: () => controller.signal,
    press() {
      controller.abort(loadStopped());
      controller = new AbortController();
    },
  };
}

export function loadStopped() {
  return problem('load_stopped', 'All load was stopped.');
}
