import { apiPrefix } from '../../../shared/api/prefix.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { CreatedBatch } from '../../../shared/measurement/batch.ts';
import { blankLabel, changeLabel, type LabelChange } from '../../../shared/measurement/label.ts';
import type { CreatedMeasurement } from '../../../shared/measurement/measurement.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import { type Asker, thisMachine } from '../../../shared/team/audit.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { findBatchByIdempotencyHash, insertBatch, listSites, type NewSite } from '../database/batches.ts';
import { insertMeasurement, type NewMeasurement } from '../database/insert-measurement.ts';
import { buryMeasurement, findByIdempotencyHash, type MeasurementRecord } from '../database/measurements.ts';
import type { Database } from '../database/open-database.ts';
import { addressOf } from './address-of.ts';
import type { Batches } from './batches.ts';
import { newDeleteToken } from './delete-token.ts';
import type { Dispatch } from './dispatch.ts';
import { hashText } from './hash-text.ts';
import type { Measurements } from './measurements.ts';
import { addressOfBatch } from './open-batches.ts';
import type { NoteLoad, Origin } from './origin.ts';
import { parseRequest } from './parse-request.ts';
import { newPermalinkId } from './permalink-id.ts';
import type { StopSwitch } from './stop-switch.ts';

type Parts<House> = {
  database: Database;
  dispatch: Pick<Dispatch, 'demandRoom' | 'enroll' | 'begin'>;
  stopSwitch: StopSwitch;
  house: House;
  /** Throws invalid_request. */
  kindOf(name: string): AnyKind<House>;
  noteLoad: NoteLoad;
};

export type Creation = {
  create: Measurements['create'];
  createBatch: Batches['create'];
  /** Forgets what is kept of a measurement for a request that is repeated. */
  over(id: string): void;
};

type Asked<House> = {
  kind: AnyKind<House>;
  request: unknown;
  secrets: SecretValues;
  label: LabelChange;
};

/** A new measurement, and the token that deletes it; null where whoever made the schedule has it. */
type Made = { measurement: NewMeasurement; token: string | null };

type Hashes = Pick<NewMeasurement, 'requestHash' | 'idempotencyHash'>;

/** Makes measurements from requests, each once for an idempotency key. */
export function openCreation<House>(parts: Parts<House>): Creation {
  const { database, dispatch, stopSwitch, house, kindOf, noteLoad } = parts;
  /** Of measurements that are not over, for a request that is repeated. */
  const deleteTokens = new Map<string, string>();

  async function create(
    name: string,
    body: object,
    idempotencyKey: string | null,
    from: Origin = { by: thisMachine },
  ): Promise<CreatedMeasurement> {
    const stopped = stopSwitch.signal();
    const kind = kindOf(name);
    const { labels, ...parsed } = parseRequest(kind.requestSchema, body);
    const asked = { ...parsed, kind };
    const requestHash = hashText(JSON.stringify(asked.request));
    const idempotencyHash = hashOfKey(idempotencyKey, from.by);
    const earlier = idempotencyHash === null ? null : await findByIdempotencyHash(database, idempotencyHash);
    if (earlier !== null) {
      demandSame(earlier, requestHash);
      return known(kindOf(earlier.kind), earlier.id);
    }
    const { here, make } = await judge(asked, [labels], from, stopped);
    if (here) await dispatch.demandRoom([labels], here);
    const made = make({ requestHash, idempotencyHash });
    const enroll = dispatch.enroll(made.measurement.id, labels, here);
    if (!(await insertMeasurement(database, made.measurement, enroll)))
      return create(name, body, idempotencyKey, from);
    return begin(asked, made, from, stopped);
  }

  const createBatch: Batches['create'] = async (name, body, sites, idempotencyKey, by = thisMachine) => {
    const stopped = stopSwitch.signal();
    const kind = kindOf(name);
    const asked = { ...parseRequest(kind.requestSchema, { ...body, labels: {} }), kind };
    const requestHash = hashText(JSON.stringify(asked.request));
    const hashOfAll = hashText(JSON.stringify([requestHash, ...sites.map(printLabels)]));
    const idempotencyHash = hashOfKey(idempotencyKey, by);
    const earlier =
      idempotencyHash === null ? null : await findBatchByIdempotencyHash(database, idempotencyHash);
    if (earlier !== null) {
      demandSame(earlier, hashOfAll);
      return knownBatch(kindOf(earlier.kind), earlier.id);
    }
    const { here, make } = await judge(asked, sites, { by }, stopped);
    if (here) {
      throw problem(
        'runner_unknown',
        'The values of its secrets stay in the memory of this dashboard, so no other site can measure it.',
      );
    }
    const made = sites.map((labels) => ({ labels, ...make({ requestHash, idempotencyHash: null }) }));
    const id = newPermalinkId();
    const batch = { id, kind: name, createdAt: Date.now(), requestHash: hashOfAll, idempotencyHash };
    const stored = made.map(({ measurement, labels }): NewSite => {
      return { measurement, labels, enroll: dispatch.enroll(measurement.id, labels, false) };
    });
    if (!(await insertBatch(database, batch, stored)))
      return createBatch(name, body, sites, idempotencyKey, by);
    const measurements: CreatedBatch['measurements'] = [];
    for (const { labels, ...each } of made) {
      measurements.push({ labels, ...(await begin(asked, each, { by }, stopped)) });
    }
    return { id, url: addressOfBatch(id), measurements };
  };

  /** Judges a request once, for all sites that are to measure it. `here` is whether only this process can. */
  async function judge(
    { kind, request, secrets, label }: Asked<House>,
    sites: readonly Labels[],
    { by, schedule }: Origin,
    stopped: AbortSignal,
  ): Promise<{ here: boolean; make(hashes: Hashes): Made }> {
    await dispatch.demandRoom(sites);
    stopped.throwIfAborted();
    const { facts, summary, revisionId } = await kind
      .prepare(request, secrets, house)
      .catch(async (error) => {
        await noteLoad(by, 'checked', request, null);
        throw error;
      });
    stopped.throwIfAborted();
    const title = kind.title(request, facts);
    const make = (hashes: Hashes): Made => {
      const { token, hash } = schedule === undefined ? newDeleteToken() : tokenOf(schedule);
      const measurement = {
        ...{ id: newPermalinkId(), kind: kind.name, createdAt: Date.now(), title, summary, request, facts },
        ...{ ...hashes, revisionId, deleteTokenHash: hash, searchText: title },
        ...{ targets: kind.targets(request, facts), label: changeLabel(blankLabel, label) },
        ...{ scheduleId: schedule?.scheduleId, startedBy: by.userId },
      };
      return { measurement, token };
    };
    return { here: kind.secretsOf(request, facts).length > 0, make };
  }

  /** One that is stored. */
  async function begin(
    { kind, request, secrets }: Asked<House>,
    { measurement, token }: Made,
    { by }: Origin,
    stopped: AbortSignal,
  ): Promise<CreatedMeasurement> {
    const { id } = measurement;
    await noteLoad(by, 'launched', request, addressOf(kind, id));
    const record: MeasurementRecord = {
      ...measurement,
      ...{ state: 'queued', fence: 0, startedAt: null, endedAt: null, problem: null, environment: null },
    };
    try {
      dispatch.begin(record, secrets, stopped);
    } catch (error) {
      // Others were faster to take the last places in the queue.
      await buryMeasurement(database, id, Date.now());
      throw error;
    }
    if (token !== null) deleteTokens.set(id, token);
    return known(kind, id);
  }

  /** What the same key made before. A token goes to nobody once its measurement is over, as keys may be guessed. */
  function known(kind: AnyKind<House>, id: string): CreatedMeasurement {
    const eventsUrl = `${apiPrefix}/measurements/${id}/events`;
    return { id, url: addressOf(kind, id), eventsUrl, deleteToken: deleteTokens.get(id) ?? null };
  }

  async function knownBatch(kind: AnyKind<House>, id: string): Promise<CreatedBatch> {
    const sites = await listSites(database, id);
    const measurements = sites.map((site) => ({ labels: site.labels, ...known(kind, site.id) }));
    return { id, url: addressOfBatch(id), measurements };
  }

  return { create, createBatch, over: (id) => void deleteTokens.delete(id) };
}

/** Each user has keys of their own: what the same key made before is answered with its delete token. */
function hashOfKey(idempotencyKey: string | null, { userId }: Asker): string | null {
  if (idempotencyKey === null) return null;
  return hashText(userId === null ? idempotencyKey : `${userId} ${idempotencyKey}`);
}

/** Throws idempotency_conflict. */
function demandSame(earlier: { requestHash: string }, requestHash: string): void {
  if (earlier.requestHash === requestHash) return;
  throw problem('idempotency_conflict', 'This Idempotency-Key was used with a different request.');
}

/** Whoever made the schedule has it. */
function tokenOf({ deleteTokenHash: hash }: { deleteTokenHash: string }): { token: null; hash: string } {
  return { token: null, hash };
}
