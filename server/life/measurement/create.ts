import { z } from 'zod';
import { apiPrefix } from '../../../shared/base/addresses.ts';
import { refusePrivateKeys } from '../../../shared/base/pem.ts';
import { type ProblemError, problem, problemOfIssues } from '../../../shared/base/problem.ts';
import {
  type AnnotationChange,
  annotationChangeSchema,
  blankAnnotation,
  changeAnnotation,
} from '../../../shared/measurement/annotation.ts';
import type { CreatedMeasurement } from '../../../shared/measurement/measurement.ts';
import { type Labels, labelsSchema } from '../../../shared/measurement/runner.ts';
import { type SecretValues, secretValuesSchema } from '../../../shared/scenario/scenario.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { listEvents } from '../database/events.ts';
import type { NewMeasurement } from '../database/insert-measurement.ts';
import {
  buryMeasurement,
  claimMeasurement,
  listUnfinished,
  type MeasurementRecord,
} from '../database/measurements.ts';
import type { Database } from '../database/open-database.ts';
import type { Dispatch, NoteLoad, Origin, StopSwitch } from './dispatch.ts';
import type { EventLog } from './event-log.ts';
import type { Before, Life, Lives } from './life.ts';
import type { MachineQueue } from './machine-queue.ts';
import { addressOf, readBlocks, type Summaries } from './summaries.ts';
import { type DeleteTokens, newDeleteToken, newPermalinkId } from './tokens.ts';

/** Parts that creating measurements needs. */
export type CreationParts<House> = Pick<
  Given<House>,
  'database' | 'dispatch' | 'stopSwitch' | 'house' | 'kindOf' | 'noteLoad' | 'deleteTokens'
>;

type AskedKind<House> = {
  kind: AnyKind<House>;
  request: unknown;
  secrets: SecretValues;
  annotation: AnnotationChange;
};

/** A new measurement, and the token that deletes it; null where whoever made the schedule has it. */
type Made = { measurement: NewMeasurement; token: string | null };

type Hashes = Pick<NewMeasurement, 'requestHash' | 'idempotencyHash'>;

/** Judges a request once, for all sites that are to measure it. `here` is whether only this process can. */
export async function judgeRequest<House>(
  { dispatch, house, noteLoad }: CreationParts<House>,
  { kind, request, secrets, annotation }: AskedKind<House>,
  sites: readonly Labels[],
  { by, schedule }: Origin,
  stopped: AbortSignal,
): Promise<{ here: boolean; make(hashes: Hashes): Made }> {
  await dispatch.demandRoom(sites);
  stopped.throwIfAborted();
  const { facts, summary, revisionId } = await kind.prepare(request, secrets, house).catch(async (error) => {
    await noteLoad(by, 'checked', request, null);
    throw error;
  });
  stopped.throwIfAborted();
  const title = kind.title(request, facts);
  const make = (hashes: Hashes): Made => {
    const { token, hash } = schedule === undefined ? newDeleteToken() : tokenOfSchedule(schedule);
    const measurement = {
      ...{ id: newPermalinkId(), kind: kind.name, createdAt: Date.now(), title, summary, request, facts },
      ...{ ...hashes, revisionId, deleteTokenHash: hash, searchText: title },
      ...{ targets: kind.targets(request, facts), annotation: changeAnnotation(blankAnnotation, annotation) },
      ...{ scheduleId: schedule?.scheduleId, startedBy: by.userId },
    };
    return { measurement, token };
  };
  return { here: kind.secretsOf(request, facts).length > 0, make };
}

/** Only the person who made the schedule has the token. */
function tokenOfSchedule({ deleteTokenHash: hash }: { deleteTokenHash: string }): {
  token: null;
  hash: string;
} {
  return { token: null, hash };
}

/** Hands one that is stored to the queue, and answers whoever asked. Throws queue_full, server_closing. */
export async function beginCreated<House>(
  parts: CreationParts<House>,
  { kind, request, secrets }: AskedKind<House>,
  { measurement, token }: Made,
  { by }: Origin,
  stopped: AbortSignal,
): Promise<CreatedMeasurement> {
  const { database, dispatch, deleteTokens, noteLoad } = parts;
  const { id } = measurement;
  const record: MeasurementRecord = {
    ...measurement,
    ...{ state: 'queued', fence: 0, startedAt: null, endedAt: null, problem: null, environment: null },
  };
  try {
    await noteLoad(by, 'launched', request, addressOf(kind, id));
    dispatch.begin(record, secrets, stopped);
  } catch (error) {
    // The caller gets this problem: the queue filled up meanwhile, or its load could not be noted.
    dispatch.withdraw(id);
    await buryMeasurement(database, id, Date.now());
    throw error;
  }
  if (token !== null) deleteTokens.keep(id, token);
  return created(kind, id, token);
}

/** Measurement that the same key made before. */
export async function answerOfKey<House>(
  { deleteTokens }: Pick<CreationParts<House>, 'deleteTokens'>,
  kind: AnyKind<House>,
  id: string,
): Promise<CreatedMeasurement> {
  return created(kind, id, await deleteTokens.of(id));
}

function created<House>(kind: AnyKind<House>, id: string, deleteToken: string | null): CreatedMeasurement {
  const eventsUrl = `${apiPrefix}/measurements/${id}/events`;
  return { id, url: addressOf(kind, id), eventsUrl, deleteToken };
}

/** Parses the kind's request, secrets, annotation and runner labels from a body. Throws invalid_request, naming the fields. */
export function parseRequest(
  requestSchema: z.ZodType,
  {
    secrets = {},
    annotation = {},
    labels = {},
    ...body
  }: { secrets?: unknown; annotation?: unknown; labels?: unknown },
): { request: unknown; secrets: SecretValues; annotation: AnnotationChange; labels: Labels } {
  const parsed = z
    .object({
      request: requestSchema,
      secrets: secretValuesSchema,
      annotation: annotationChangeSchema,
      labels: labelsSchema,
    })
    .superRefine(refusePrivateKeys)
    .safeParse({ request: body, secrets, annotation, labels });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path: [first, ...rest], ...issue }) => ({
    ...issue,
    path: first === 'request' ? rest : [first ?? '', ...rest],
  }));
  throw problemOfIssues('invalid_request', new z.ZodError(issues), 'The body');
}

type Parts<House> = Pick<Given<House>, 'database' | 'log' | 'stopSwitch' | 'kindOf' | 'onError'> & {
  /** Whether this server has it already. */
  isHere(id: string): boolean;
  open(record: MeasurementRecord, before: Before): Life<House>;
  enqueue(record: MeasurementRecord, life: Life<House>, stopped: AbortSignal, waitedBefore: boolean): void;
  end(life: Life<House>, state: 'incomplete' | 'interrupted', why: ProblemError): Promise<void>;
};

/** Takes up what the store has of measurements that are not over: what an earlier server left, or another runner. */
export function openTakingUp<House>(parts: Parts<House>): Pick<Lives<House>, 'takeUp' | 'take' | 'endTaken'> {
  const { database, log, stopSwitch, kindOf, isHere, open, enqueue, end, onError } = parts;

  /** With its blocks and its log. Null where it began while those were read. */
  async function revive(stored: MeasurementRecord, taken: boolean): Promise<Life<House> | null> {
    const [blocks, events] = await Promise.all([
      readBlocks(database, kindOf(stored.kind), stored.id),
      listEvents(database, stored.id, 0),
    ]);
    if (isHere(stored.id)) return null;
    const life = open(stored, { blocks, secrets: {}, taken });
    log.open(stored.id, events);
    return life;
  }

  async function takeUpOne(stored: MeasurementRecord, stopped: AbortSignal): Promise<void> {
    // Claiming it prevents writes by an earlier owner that does not know yet that it lost it.
    const claim = stored.state === 'running' ? await claimMeasurement(database, stored.id) : stored;
    if (claim === null) return;
    const record = { ...stored, fence: claim.fence };
    const life = await revive(record, false);
    if (life === null) return;
    const lost = life.secrets();
    const waited = record.state === 'queued';
    if (waited && lost.length === 0) return enqueue(record, life, stopped, true);
    await end(life, 'interrupted', waited ? secretsLost(lost) : serverStopped());
  }

  return {
    async takeUp(but, stopped = stopSwitch.signal()) {
      for (const record of await listUnfinished(database)) {
        // One that cannot be read stands in nobody's way.
        if (!isHere(record.id) && !but.has(record.id)) await takeUpOne(record, stopped).catch(onError);
      }
    },
    async take(record, stopped = stopSwitch.signal()) {
      const life = await revive(record, true);
      if (life === null) return;
      const lost = life.secrets();
      if (lost.length > 0) return end(life, 'interrupted', secretsLost(lost));
      enqueue(record, life, stopped, true);
    },
    async endTaken(record, state, why, discard = false) {
      const life = await revive(record, true);
      if (life === null) return;
      if (discard) life.discard();
      await end(life, state, why);
    },
  };
}

export function serverStopped(): ProblemError {
  return problem('run_interrupted', 'The server stopped during this run.');
}

export function secretsLost(names: readonly string[]): ProblemError {
  return problem(
    'secrets_lost',
    `The server restarted while this run was waiting, and the values of its secrets (${names.join(', ')}) were kept in memory only.`,
  );
}

/**
 * Looks at this interval and whenever it is asked to, never twice at the same time, until stopped. A failed look does not end it.
 *
 * @param onError told what a look says that nobody asked for
 */
export function lookAgain(
  everyMs: number,
  onError: (error: unknown) => void,
  look: () => Promise<void>,
): { now(): Promise<void>; stop(): Promise<void> } {
  let looking: Promise<void> | null = null;

  /** Rejects with what speaks against it. */
  function now(): Promise<void> {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  }

  const timer = setInterval(() => void now().catch(onError), everyMs);
  timer.unref();
  return {
    now,
    async stop() {
      clearInterval(timer);
      await looking?.catch(() => {});
    },
  };
}

/** Parts that all measurements of a server share. Each part of their life picks what it needs. */
export type Given<House> = {
  database: Database;
  queue: MachineQueue;
  stopSwitch: StopSwitch;
  house: House;
  /** Throws invalid_request. */
  kindOf(name: string): AnyKind<House>;
  log: EventLog;
  lives: Lives<House>;
  dispatch: Dispatch;
  summaries: Summaries;
  deleteTokens: DeleteTokens;
  noteLoad: NoteLoad;
  onError(error: unknown): void;
};
