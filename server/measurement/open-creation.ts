import { apiPrefix } from '../../shared/api/endpoint.ts';
import { thisMachine } from '../../shared/audit.ts';
import { blankLabel, changeLabel } from '../../shared/label.ts';
import type { CreatedMeasurement } from '../../shared/measurement.ts';
import { problem } from '../../shared/problem.ts';
import {
  buryMeasurement,
  findByIdempotencyHash,
  insertMeasurement,
  type MeasurementRecord,
} from '../database/measurements.ts';
import type { Database } from '../database/open-database.ts';
import { addressOf } from './address-of.ts';
import type { Brake } from './brake.ts';
import { newDeleteToken } from './delete-token.ts';
import type { Dispatch } from './dispatch.ts';
import { hashText } from './hash-text.ts';
import type { AnyKind } from './kind.ts';
import type { Measurements } from './measurements.ts';
import type { NoteLoad, Origin } from './origin.ts';
import { parseRequest } from './parse-request.ts';
import { newPermalinkId } from './permalink-id.ts';

type Parts<House> = {
  database: Database;
  dispatch: Pick<Dispatch, 'demandRoom' | 'enroll' | 'begin'>;
  brake: Brake;
  house: House;
  /** Throws invalid_request. */
  kindOf(name: string): AnyKind<House>;
  noteLoad: NoteLoad;
};

export type Creation = {
  create: Measurements['create'];
  /** Forgets what is kept of a measurement for a request that is repeated. */
  over(id: string): void;
};

/** Makes measurements from requests, each once for an idempotency key. */
export function openCreation<House>(parts: Parts<House>): Creation {
  const { database, dispatch, brake, house, kindOf, noteLoad } = parts;
  /** Of measurements that are not over, for a request that is repeated. */
  const deleteTokens = new Map<string, string>();

  async function create(
    name: string,
    body: object,
    idempotencyKey: string | null,
    from: Origin = { by: thisMachine },
  ): Promise<CreatedMeasurement> {
    const stopped = brake.signal();
    const { by, schedule } = from;
    const kind = kindOf(name);
    const { secrets, request, label, labels } = parseRequest(kind.requestSchema, body);
    const requestHash = hashText(JSON.stringify(request));
    const idempotencyHash = idempotencyKey === null ? null : hashText(idempotencyKey);
    const earlier = idempotencyHash === null ? null : await findByIdempotencyHash(database, idempotencyHash);
    if (earlier !== null) return replay(earlier, requestHash);
    await dispatch.demandRoom(labels);
    stopped.throwIfAborted();
    const prepared = await kind.prepare(request, secrets, house).catch(async (error) => {
      await noteLoad(by, 'checked', request, null);
      throw error;
    });
    const { facts, summary, revisionId } = prepared;
    stopped.throwIfAborted();
    const here = kind.secretsOf(request, facts).length > 0;
    if (here) await dispatch.demandRoom(labels, here);
    const title = kind.title(request, facts);
    const { token, hash } = schedule === undefined ? newDeleteToken() : tokenOf(schedule);
    const measurement = {
      ...{ id: newPermalinkId(), kind: name, createdAt: Date.now(), title, summary, request, facts },
      ...{ revisionId, requestHash, idempotencyHash, deleteTokenHash: hash, searchText: title },
      ...{ targets: kind.targets(request, facts), label: changeLabel(blankLabel, label) },
      ...{ scheduleId: schedule?.scheduleId, startedBy: by.userId },
    };
    const enroll = dispatch.enroll(measurement.id, labels, here);
    if (!(await insertMeasurement(database, measurement, enroll)))
      return create(name, body, idempotencyKey, from);
    await noteLoad(by, 'launched', request, addressOf(kind, measurement.id));
    const record: MeasurementRecord = {
      ...measurement,
      ...{ state: 'queued', fence: 0, startedAt: null, endedAt: null, problem: null, environment: null },
    };
    try {
      dispatch.begin(record, secrets, stopped);
    } catch (error) {
      // Others were faster to take the last places in the queue.
      await buryMeasurement(database, record.id, Date.now());
      throw error;
    }
    if (token !== null) deleteTokens.set(record.id, token);
    return created(kind, record.id, token);
  }

  /** The same key again: what it made before. Its token goes to nobody once it is over, as keys may be guessed. */
  function replay(record: MeasurementRecord, requestHash: string): CreatedMeasurement {
    if (record.requestHash !== requestHash) {
      throw problem('idempotency_conflict', 'This Idempotency-Key was used with a different request.');
    }
    return created(kindOf(record.kind), record.id, deleteTokens.get(record.id) ?? null);
  }

  return { create, over: (id) => void deleteTokens.delete(id) };
}

function created<House>(kind: AnyKind<House>, id: string, deleteToken: string | null): CreatedMeasurement {
  return { id, url: addressOf(kind, id), eventsUrl: `${apiPrefix}/measurements/${id}/events`, deleteToken };
}

/** Whoever made the schedule has it. */
function tokenOf({ deleteTokenHash: hash }: { deleteTokenHash: string }): { token: null; hash: string } {
  return { token: null, hash };
}
