import type { NewSchedule, Schedule } from '../../../../shared/measurement/schedule.ts';
import type { Asker } from '../../../../shared/team/audit.ts';

/** Everything that the edges can ask of measurements that are repeated. */
export type Schedules = {
  /** The next one first. @param of a measurement: only those that repeat its request */
  list(of?: string): Promise<Schedule[]>;
  /**
   * Repeats the request of a measurement.
   * Throws run_not_found, run_deleted, run_binned, not_repeatable where it needs secrets, invalid_request where it has no next
   * time, too_many_schedules; runners_off, runner_unknown, runner_outdated where no runner has the labels.
   * @param by counts as the starter of all its measurements
   */
  create(asked: NewSchedule, by?: Asker): Promise<{ schedule: Schedule; deleteToken: string }>;
  /** Throws schedule_not_found; schedule_over for one that has no further time. */
  change(id: string, state: 'on' | 'paused'): Promise<Schedule>;
  /** What it measured stays. Throws schedule_not_found. */
  remove(id: string): Promise<void>;
  /**
   * Queues what is due. `now` in milliseconds since 1970.
   * @param jumpedFrom where the clock was when it jumped to now; left out where it did not
   */
  measureDue(now: number, jumpedFrom?: number): Promise<void>;
};
