import { createHash } from 'node:crypto';
import { apiPrefix, type CreatedRun } from '../../shared/api.ts';
import type { Environment } from '../../shared/environment.ts';
import type { LabDocument, LabOutcome, LabRequest } from '../../shared/lab-document.ts';
import { labSchemaVersion } from '../../shared/lab-frame.ts';
import type { LabSummary } from '../../shared/lab-summary.ts';
import { ProblemError, problem } from '../../shared/problem.ts';
import { isOver, type RunState } from '../../shared/run.ts';
import { readDocument, storeDocument } from '../database/documents.ts';
import {
  buryLab,
  findLab,
  findLabByIdempotencyKey,
  insertLab,
  type LabRecord,
  listUnfinishedLabs,
  updateLab,
} from '../database/labs.ts';
import type { Database } from '../database/open-database.ts';
import { isBuried } from '../database/runs.ts';
import { upgradeLabDocument } from '../database/upgrade-lab-document.ts';
import { newDeleteToken } from './delete-token.ts';
import type { LabEventLog } from './event-log.ts';
import type { LabControl } from './lab-control.ts';
import type { LabRoom } from './lab-room.ts';
import type { Job, MachineQueue } from './machine-queue.ts';
import { newPermalinkId } from './permalink-id.ts';

export type LabControlOptions = {
  database: Database;
  events: LabEventLog;
  queue: MachineQueue;
  room: LabRoom;
  /** This machine, for a measurement that has not begun. */
  here: Environment;
  /** Told when an event cannot be stored. */
  onFault(error: unknown): void;
};

/** Takes up where an earlier server stopped: what was running is interrupted, what was queued is queued again. */
export async function openLabControl({
  database,
  events,
  queue,
  room,
  here,
  onFault,
}: LabControlOptions): Promise<LabControl> {
  /** Those whose result is to be thrown away when they have stopped. */
  const discarded = new Set<string>();

  for (const record of await listUnfinishedLabs(database)) {
    if (record.state === 'queued') queue.add(jobOf(record.id), true);
    else
      await finish(
        record,
        (await measuredSoFar(record.id)) ?? stopped(record, 'interrupted', serverStopped()),
      );
  }

  function jobOf(id: string): Job {
    return {
      id,
      perform: (signal) => perform(id, signal),
      onPlace: (queuePosition) => {
        events.append(id, { type: 'state', state: 'queued', queuePosition }).catch(onFault);
      },
    };
  }

  async function perform(id: string, signal: AbortSignal): Promise<void> {
    const record = await findLab(database, id);
    if (record === null) return;
    const startedAt = Date.now();
    await updateLab(database, id, { state: 'running', startedAt });
    await events.append(id, { type: 'state', state: 'running', queuePosition: null });
    let keeping = Promise.resolve();
    const keep = (soFar: LabOutcome) => {
      keeping = keeping.then(() => store(record, soFar)).catch(onFault);
    };
    const outcome = await room
      .conduct(record.request, { signal, keep, tell: (step) => void events.append(id, step).catch(onFault) })
      .catch((error: unknown) => stopped({ ...record, startedAt }, 'failed', asProblem(error)));
    await keeping;
    if (discarded.delete(id)) await bury(id);
    else await finish(record, outcome);
  }

  /** Stores the document, then the end, then closes the log. */
  async function finish(record: LabRecord, outcome: LabOutcome): Promise<void> {
    const { state, endedAt, problem: why } = outcome;
    await store(record, outcome);
    await updateLab(database, record.id, { state, endedAt: endedAt ?? Date.now(), problem: why });
    await events.append(record.id, { type: 'end', state });
  }

  async function store({ id, createdAt }: LabRecord, outcome: LabOutcome): Promise<void> {
    const document = { schemaVersion: labSchemaVersion, id, createdAt, ...outcome };
    await storeDocument(database, 'labDocuments', id, labSchemaVersion, JSON.stringify(document));
  }

  /** What a server that stopped had kept; null when it had not come so far. */
  async function measuredSoFar(id: string): Promise<LabOutcome | null> {
    const stored = await readDocument(database, 'labDocuments', id);
    if (stored === null) return null;
    const {
      schemaVersion: _version,
      id: _id,
      createdAt: _createdAt,
      ...outcome
    } = upgradeLabDocument(JSON.parse(stored.text));
    return outcome;
  }

  async function bury(id: string): Promise<void> {
    await events.append(id, { type: 'end', state: 'incomplete' });
    await buryLab(database, id, Date.now());
  }

  /** The outcome of what was never conducted to its end. */
  function stopped(
    { request, startedAt }: LabRecord,
    state: RunState,
    error: ProblemError | null,
  ): LabOutcome {
    return {
      ...room.nothingYet(request),
      state,
      startedAt,
      endedAt: isOver(state) ? Date.now() : null,
      problem: error?.problem ?? null,
      environment: here,
    };
  }

  async function create(request: LabRequest, idempotencyKey: string | null): Promise<CreatedRun> {
    const title = room.titleOf(request);
    const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
    const earlier = idempotencyKey === null ? null : await findLabByIdempotencyKey(database, idempotencyKey);
    if (earlier !== null) return replay(earlier, requestHash, idempotencyKey ?? '');
    queue.demandRoom();
    const id = newPermalinkId();
    const { token, hash } = newDeleteToken(id, idempotencyKey);
    const row = {
      id,
      createdAt: Date.now(),
      title,
      request,
      deleteTokenHash: hash,
      idempotencyKey,
      requestHash,
    };
    if (!(await insertLab(database, row))) return create(request, idempotencyKey);
    queue.add(jobOf(id));
    return created(id, token);
  }

  function replay(record: LabRecord, requestHash: string, key: string): CreatedRun {
    if (record.requestHash !== requestHash) {
      throw problem('idempotency_conflict', 'This Idempotency-Key was used with another request before.');
    }
    return created(record.id, newDeleteToken(record.id, key).token);
  }

  return {
    create,

    async cancel(id, keep) {
      const record = await known(id);
      const cancelled = problem('lab_cancelled', 'The measurement was cancelled before it began.');
      if (queue.remove(id)) {
        if (keep) await finish(record, stopped(record, 'incomplete', cancelled));
        else await bury(id);
      } else {
        if (!keep) discarded.add(id);
        const reason = problem('lab_cancelled', 'The measurement was cancelled.');
        if (!queue.abort(id, reason)) {
          discarded.delete(id);
          throw problem('run_over', `The measurement is ${record.state} already.`);
        }
      }
      return summaryOf((await findLab(database, id)) ?? { ...record, state: 'incomplete' });
    },

    async readDocument(id) {
      const stored = await readDocument(database, 'labDocuments', id);
      const record = await known(id);
      if (stored !== null && isOver(record.state)) {
        if (stored.schemaVersion === labSchemaVersion) return { text: stored.text, final: true };
        return { text: JSON.stringify(upgradeLabDocument(JSON.parse(stored.text))), final: true };
      }
      const growing: LabDocument = {
        schemaVersion: labSchemaVersion,
        id,
        createdAt: record.createdAt,
        ...((await measuredSoFar(id)) ?? stopped(record, record.state, null)),
        state: record.state,
        endedAt: null,
        problem: null,
      };
      return { text: JSON.stringify(growing), final: false };
    },

    async isOver(id) {
      return isOver((await known(id)).state) && queue.status().running !== id;
    },
    queuePosition: (id) => queue.placeOf(id),
  };

  async function known(id: string): Promise<LabRecord> {
    const record = await findLab(database, id);
    if (record !== null) return record;
    if (await isBuried(database, id)) throw problem('run_deleted', 'This measurement was deleted.');
    throw problem('run_not_found', `No measurement of the lab has the id ${id}.`);
  }
}

function serverStopped(): ProblemError {
  return problem('lab_interrupted', 'The server stopped while this measurement was going on.');
}

function summaryOf({ id, request, title, state, createdAt, endedAt, problem: why }: LabRecord): LabSummary {
  return { id, kind: request.kind, title, state, createdAt, endedAt, problem: why, queuePosition: null };
}

function created(id: string, deleteToken: string): CreatedRun {
  return { id, url: `/l/${id}`, eventsUrl: `${apiPrefix}/lab/${id}/events`, deleteToken };
}

function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return problem('internal', `The measurement failed unexpectedly: ${message.replace(/\.$/, '')}.`, {
    cause: error,
  });
}
