import { ProblemError, problem } from '../../../../shared/base/problem.ts';
import { isOver } from '../../../../shared/measurement/measurement.ts';
import type { Asker } from '../../../../shared/team/audit.ts';
import { addToAuditLog } from '../../database/audit-log.ts';
import { findState } from '../../database/measurements.ts';
import type { Database } from '../../database/open-database.ts';
import {
  listScheduleRows,
  type ScheduleRow,
  storeMeasured,
  storeScheduleState,
  storeSkipped,
  takeTime,
} from '../../database/schedules.ts';
import { newPermalinkId } from '../create/permalink-id.ts';
import type { Measurements } from '../measurements.ts';
import { nextTime } from './next-time.ts';

/** A time that is missed by more is skipped: a series of nights has no mornings in it. A restart stays within it. */
const graceMs = 15 * 60_000;

/**
 * Queues the measurements whose time has come, each once. What speaks against one is kept as its outcome, and it goes on at
 * its next time. Rejects with what the store says; a time that was not taken comes again.
 */
export async function measureDue(
  database: Database,
  measurements: Measurements,
  now: number,
  jumpedFrom = now,
): Promise<void> {
  for (const row of await listScheduleRows(database)) {
    if (row.nextAt !== null && row.nextAt <= now)
      await measureOne(database, measurements, row, row.nextAt, { now, jumpedFrom });
  }
}

async function measureOne(
  database: Database,
  measurements: Measurements,
  row: ScheduleRow,
  at: number,
  { now, jumpedFrom }: { now: number; jumpedFrom: number },
): Promise<void> {
  const nextAt = nextTime(row.rhythm, now, row.lastDay);
  if (!(await takeTime(database, row, { nextAt, state: nextAt === null ? 'ended' : 'on' }))) return;
  try {
    if (now - at > graceMs) throw problem('repeat_skipped', at > jumpedFrom ? jumped : wasNotRunning);
    await demandEnded(database, row);
    const { id: measurementId, url } = await queue(measurements, row);
    await noteRepeat(database, row, url);
    const ended = row.times !== null && row.measured + 1 >= row.times;
    await storeMeasured(database, row.id, { at, measurementId, ended });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    await storeSkipped(database, row.id, { at, why: error.problem });
    // This version cannot read the request next time either.
    if (error.problem.code === 'invalid_request')
      await storeScheduleState(database, row.id, { state: 'paused', nextAt: null });
  }
}

const wasNotRunning = 'TLS Toll was not running at the scheduled time.';
const jumped =
  'The clock of this machine jumped past the scheduled time: it was set, or the machine was suspended.';

/** One that takes longer than its turn would fill the queue. Throws repeat_skipped. */
async function demandEnded(database: Database, { lastMeasurementId }: ScheduleRow): Promise<void> {
  const found = lastMeasurementId === null ? null : await findState(database, lastMeasurementId);
  if (found === null || isOver(found.state)) return;
  throw problem('repeat_skipped', 'The measurement before it had not ended.');
}

async function queue(
  measurements: Measurements,
  { id, kind, request, tags, labels, deleteTokenHash, ...row }: ScheduleRow,
): Promise<{ id: string; url: string }> {
  const body = { ...Object(request), annotation: { tags }, labels };
  const schedule = { scheduleId: id, deleteTokenHash };
  return measurements.create(kind, body, null, { by: askerOf(row), schedule });
}

async function noteRepeat(database: Database, row: ScheduleRow, subject: string): Promise<void> {
  const event = { what: 'repeated', subject, host: null, note: row.kind };
  await addToAuditLog(database, { id: newPermalinkId(), at: Date.now(), ...askerOf(row), ...event });
}

/** On behalf of whoever made it. */
function askerOf({ title, startedBy }: Pick<ScheduleRow, 'title' | 'startedBy'>): Asker {
  return { who: `schedule “${title}”`, userId: startedBy, key: null, from: null };
}
