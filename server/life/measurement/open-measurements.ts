import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../../../shared/base/environment.ts';
import { type ProblemError, problem, problemOfField } from '../../../shared/base/problem.ts';
import type { Annotation, ShownAnnotation } from '../../../shared/measurement/annotation.ts';
import {
  type CreatedMeasurement,
  isOver,
  type MeasurementState,
} from '../../../shared/measurement/measurement.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import type { CreatedBatch } from '../../../shared/results/schedule.ts';
import type { MeasurementSummary } from '../../../shared/results/summary.ts';
import { type Asker, thisMachine } from '../../../shared/team/team.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { findBatch, insertBatch, listSites, type NewSite } from '../database/batches.ts';
import { storeEvents } from '../database/events.ts';
import { findAnnotation, insertMeasurement, storeAnnotationChange } from '../database/insert-measurement.ts';
import {
  findLine,
  listAttempts,
  listChoices,
  listMeasurements,
  type MeasurementLine,
} from '../database/list-measurements.ts';
import { findMeasurement, findState, reopenMeasurement } from '../database/measurements.ts';
import type { Database } from '../database/open-database.ts';
import { findLabels } from '../database/runners.ts';
import type { Measurements } from './asked-measurements.ts';
import { bringHistoryUpToDate, openBin } from './bin-and-history.ts';
import {
  answerOfKey,
  beginCreated,
  type CreationParts,
  type Given,
  judgeRequest,
  lookAgain,
  parseRequest,
} from './create.ts';
import { type Dispatch, loadStopped, type Origin } from './dispatch.ts';
import { openEventLog } from './event-log.ts';
import { openLives } from './lives.ts';
import { addressOfBatch, openBatches } from './open-batches.ts';
import { openDispatch, runnerOf, type Self } from './open-dispatch.ts';
import { openReading } from './reading.ts';
import { addressOf, findKnown, openSummaries } from './summaries.ts';
import { hashText, newPermalinkId, openDeleteTokens } from './tokens.ts';

type MeasurementsOptions<House> = Pick<
  Given<House>,
  'database' | 'queue' | 'stopSwitch' | 'house' | 'noteLoad' | 'onError'
> & {
  kinds: readonly AnyKind<House>[];
  /** This machine. */
  environment: Environment;
  /** Role of this process on a database that several share: a runner, or a dashboard that leaves measuring to others. */
  self?: Self | undefined;
  onProblem?(failure: ProblemError): void;
};

/** How often the store is looked through for what a failure of its own has left behind, and for what is to leave the bin. */
const lookEveryMs = 30_000;

/**
 * Life of a measurement, in this order: it is created, waits, runs as a life, ends, and is found in the list. Takes up
 * where an earlier server stopped: a running one is interrupted, a queued one is queued again.
 */
export async function openMeasurements<House>({
  environment: machine,
  self,
  onProblem,
  ...options
}: MeasurementsOptions<House>): Promise<Measurements> {
  const { database, queue, kinds, onError } = options;
  const runner = runnerOf(database, self);
  const environment = runner === null ? machine : { ...machine, runner };
  const kindOf = (name: string) => findKind(kinds, name);
  const deleteTokens = openDeleteTokens(database);
  const log = openEventLog((claim, events) => storeEvents(database, claim, events), onError);
  const given = { ...options, environment, kindOf, deleteTokens, log };
  const lives = openLives({ ...given, onOver: deleteTokens.forget });
  const { dispatch, runner: measuring } = openDispatch({ ...given, lives, self, machine, onProblem });
  const summaries = openSummaries({ ...given, placesOf: dispatch.placesOf });
  const list = openList({ ...given, summaries });
  const isAlive = (id: string) => lives.of(id) !== undefined;
  const { emptyBin, ...bin } = openBin({ ...given, summaries, isAlive });
  const reading = openReading({ ...given, lives, list });
  const parts = { ...given, lives, dispatch, summaries };

  // A store that fails is asked again later.
  const looking = lookAgain(
    lookEveryMs,
    () => {},
    async () => {
      await dispatch.takeUp();
      await emptyBin(Date.now());
      await deleteTokens.forgetOver();
    },
  );

  await bringHistoryUpToDate({ database, kinds, onError });
  await looking.now();

  return {
    create: (...asked) => createMeasurement(parts, ...asked),
    batches: {
      ...openBatches(parts),
      create: (...asked) => createBatch(parts, ...asked),
    },
    cancel: (...asked) => cancelMeasurement(parts, ...asked),
    stop: () => stopAll(parts),
    resume: (...asked) => resumeMeasurement(parts, ...asked),
    async summary(id) {
      const life = lives.of(id);
      return life === undefined ? summaries.storedSummary(id) : summaries.liveSummary(life.line());
    },
    ...list,
    ...bin,
    ...reading,
    mirror: dispatch.mirror,
    follow: dispatch.follow,
    status: () => queue.status(),
    runners: () => listRunners(dispatch, summaries.storedSummary),
    demandRunner: dispatch.demandRunner,
    runner: measuring,
    async close() {
      await looking.stop();
      await measuring?.close();
      await lives.close();
      await measuring?.leave();
      await dispatch.close();
    },
  };
}

/** Throws invalid_request. */
function findKind<House>(kinds: readonly AnyKind<House>[], name: string): AnyKind<House> {
  const kind = kinds.find((each) => each.name === name);
  if (kind !== undefined) return kind;
  const message = `kind must be one of ${kinds.map((each) => each.name).join(', ')}`;
  throw problemOfField('invalid_request', 'kind', message, 'The body');
}

/** Who measures what, and what no connected runner can take, each with the address of its measurement. */
async function listRunners(
  dispatch: Pick<Dispatch, 'runners'>,
  summaryOf: (id: string) => Promise<MeasurementSummary>,
): ReturnType<Measurements['runners']> {
  async function linked(id: string | null) {
    if (id === null) return null;
    const found = await summaryOf(id).catch(() => null);
    return found === null ? null : { id, url: found.url, title: found.title };
  }

  const found = await dispatch.runners();
  if (found === null) return { runners: null, stranded: [] };
  const runners = found.runners.map(async ({ busy, ...each }) => ({ ...each, busy: await linked(busy) }));
  const stranded = found.stranded.map(async ({ id, labels }) => {
    const link = await linked(id);
    return link === null ? [] : { ...link, labels };
  });
  return { runners: await Promise.all(runners), stranded: (await Promise.all(stranded)).flat() };
}

/** Queues one again that ended early; it goes on where it was. Throws not_resumable. */
async function resumeMeasurement<House>(
  { database, stopSwitch, lives, dispatch, summaries, kindOf, noteLoad }: Given<House>,
  id: string,
  by: Asker = thisMachine,
): Promise<MeasurementSummary> {
  const stopped = stopSwitch.signal();
  const { kind: name, state, request } = await findKnown(database, id, () => findMeasurement(database, id));
  const kind = kindOf(name);
  if (kind.resumable !== true) {
    throw problem('not_resumable', 'This kind of run always starts over.');
  }
  const labels = await findLabels(database, id);
  await dispatch.demandRoom([labels]);
  const enroll = dispatch.enroll(id, labels, false);
  // One whose end waits to be stored is not over yet.
  if (lives.of(id) !== undefined || !(await reopenMeasurement(database, id, enroll, by.userId))) {
    throw problem('not_resumable', `It is ${state}. Only a run that ended early can be resumed.`);
  }
  await noteLoad(by, 'launched', request, addressOf(kind, id)).catch((error: unknown) => {
    dispatch.withdraw(id);
    throw error;
  });
  await dispatch.beginAgain(id, stopped);
  const life = lives.of(id);
  return life === undefined ? summaries.storedSummary(id) : summaries.liveSummary(life.line());
}

type Parts<House> = Pick<
  Given<House>,
  'database' | 'queue' | 'stopSwitch' | 'lives' | 'dispatch' | 'summaries'
>;

/** A cancellation waits this long for a store that fails. After that, it is stored later. */
const longestStoringMs = 1_000;

/** Ends one, here or at whoever measures it. Without `keep`, it leaves a tombstone. Throws run_over. */
async function cancelMeasurement<House>(
  { database, queue, lives, dispatch, summaries }: Parts<House>,
  id: string,
  keep: boolean,
): Promise<MeasurementSummary> {
  const life = lives.of(id);
  if (life === undefined) {
    const { state } = await findKnown(database, id, () => findState(database, id));
    if (isOver(state) || !(await dispatch.ask(id, keep ? 'cancel' : 'discard'))) {
      throw problem('run_over', `It has already ended (${state}).`);
    }
    // One that waited may be gone by now.
    return summaries.storedSummary(id);
  }
  const ended = life.ended();
  if (ended !== null) throw problem('run_over', `It has already ended (${ended}) and is being stored.`);
  if (!keep) life.discard();
  const ending = lives.endWaiting(id, problem('run_cancelled', 'It was canceled before it started.'));
  if (ending === null) queue.abort(id, problem('run_cancelled', 'It was canceled.'));
  else await Promise.race([ending, pause(longestStoringMs, undefined, { ref: false })]);
  return summaries.liveSummary(life.line());
}

/** Ends all load, here and on all runners. Returns how many measurements waited or went on. */
async function stopAll<House>({ queue, stopSwitch, lives, dispatch }: Parts<House>): Promise<number> {
  stopSwitch.press();
  // First what waits: it would begin as soon as the one before it ends.
  const waiting = lives.ids().filter((id) => lives.endWaiting(id, loadStopped()) !== null);
  const here = waiting.length + (queue.abortRunning(loadStopped()) ? 1 : 0);
  return here + (await dispatch.askAll());
}

/** List of measurements, and the texts that people wrote on them. */
function openList<House>({
  database,
  kindOf,
  summaries: { summariesOf },
}: Pick<Given<House>, 'database' | 'kindOf' | 'summaries'>) {
  const lineOf = (id: string) => findKnown(database, id, () => findLine(database, id));

  return {
    async list(filter) {
      const { page, nextCursor } = await listMeasurements(database, filter);
      return { summaries: await summariesOf(page), nextCursor };
    },

    async ofRequest(name, body) {
      const kind = kindOf(name);
      const { request } = parseRequest(kind.requestSchema, body);
      const attempts = await listAttempts(database, hashText(JSON.stringify(request)));
      return attempts.map((attempt) => ({
        ...attempt,
        url: addressOf(kind, attempt.id),
        resumes: kind.resumable === true && endedEarly.has(attempt.state),
      }));
    },

    choices: () => listChoices(database),

    async annotation(id) {
      return shown(await lineOf(id), await findAnnotation(database, id));
    },

    async annotate(id, change) {
      const line = await lineOf(id);
      return shown(line, await findKnown(database, id, () => storeAnnotationChange(database, id, change)));
    },
  } satisfies Partial<Measurements>;
}

const endedEarly = new Set<MeasurementState>(['incomplete', 'interrupted', 'failed']);

function shown(
  { title: generatedTitle }: MeasurementLine,
  { title, note, tags }: Annotation,
): ShownAnnotation {
  return { title: title ?? generatedTitle, generatedTitle, note, tags };
}

/** Parses, judges, stores and queues a measurement, once for an idempotency key. */
async function createMeasurement<House>(
  parts: CreationParts<House>,
  name: string,
  body: object,
  idempotencyKey: string | null,
  from: Origin = { by: thisMachine },
): Promise<CreatedMeasurement> {
  const { database, dispatch, stopSwitch, kindOf } = parts;
  const stopped = stopSwitch.signal();
  const kind = kindOf(name);
  const { labels, ...parsed } = parseRequest(kind.requestSchema, await asContinued(database, kind, body));
  const asked = { ...parsed, kind };
  const requestHash = hashText(JSON.stringify(asked.request));
  const idempotencyHash = hashOfKey(idempotencyKey, from.by);
  const earlier =
    idempotencyHash === null ? null : await findMeasurement(database, idempotencyHash, 'idempotencyHash');
  if (earlier !== null) {
    demandSame(earlier, requestHash);
    return answerOfKey(parts, kindOf(earlier.kind), earlier.id);
  }
  const { here, make } = await judgeRequest(parts, asked, [labels], from, stopped);
  if (here) await dispatch.demandRoom([labels], here);
  const made = make({ requestHash, idempotencyHash });
  const enroll = dispatch.enroll(made.measurement.id, labels, here);
  const stored = await insertMeasurement(database, made.measurement, enroll);
  // The same request was faster: its measurement is the answer.
  if (!stored) return createMeasurement(parts, name, body, idempotencyKey, from);
  return beginCreated(parts, asked, made, from, stopped);
}

/** The request of the measurement that this one continues. Throws run_not_found, run_deleted, run_binned, not_continuable. */
async function asContinued<House>(
  database: Database,
  { name, noun, continuable }: AnyKind<House>,
  body: object,
): Promise<object> {
  const { continues } = body as { continues?: unknown };
  if (continuable === undefined || typeof continues !== 'string') return body;
  const { kind, state, request } = await findKnown(database, continues, () =>
    findMeasurement(database, continues),
  );
  if (kind !== name || state !== 'finished')
    throw problem('not_continuable', `Only ${noun} that finished can be continued.`);
  return { ...Object(request), ...body };
}

/** Like `createMeasurement`, for several sites: all of them are queued, or none. */
async function createBatch<House>(
  parts: CreationParts<House>,
  name: string,
  body: object,
  sites: readonly Labels[],
  idempotencyKey: string | null,
  by = thisMachine,
): Promise<CreatedBatch> {
  const { database, dispatch, stopSwitch, kindOf } = parts;
  const stopped = stopSwitch.signal();
  const kind = kindOf(name);
  const asked = { ...parseRequest(kind.requestSchema, { ...body, labels: {} }), kind };
  const requestHash = hashText(JSON.stringify(asked.request));
  const hashOfAll = hashText(JSON.stringify([requestHash, ...sites.map(printLabels)]));
  const idempotencyHash = hashOfKey(idempotencyKey, by);
  const earlier =
    idempotencyHash === null ? null : await findBatch(database, idempotencyHash, 'idempotencyHash');
  if (earlier !== null) {
    demandSame(earlier, hashOfAll);
    return answerOfBatch(parts, earlier);
  }
  const { here, make } = await judgeRequest(parts, asked, sites, { by }, stopped);
  if (here) throw secretsStayHere();
  const made = sites.map((labels) => ({ labels, ...make({ requestHash, idempotencyHash: null }) }));
  const id = newPermalinkId();
  const batch = { id, kind: name, createdAt: Date.now(), requestHash: hashOfAll, idempotencyHash };
  const newSites = made.map(({ measurement, labels }): NewSite => {
    return { measurement, labels, enroll: dispatch.enroll(measurement.id, labels, false) };
  });
  const stored = await insertBatch(database, batch, newSites);
  // The same request was faster: its batch is the answer.
  if (!stored) return createBatch(parts, name, body, sites, idempotencyKey, by);
  const measurements: CreatedBatch['measurements'] = [];
  for (const { labels, ...each } of made) {
    measurements.push({ labels, ...(await beginCreated(parts, asked, each, { by }, stopped)) });
  }
  return { id, url: addressOfBatch(id), measurements };
}

async function answerOfBatch<House>(
  parts: CreationParts<House>,
  { id, kind }: { id: string; kind: string },
): Promise<CreatedBatch> {
  const sites = await listSites(parts.database, id);
  const measurements = sites.map(async (site) => ({
    labels: site.labels,
    ...(await answerOfKey(parts, parts.kindOf(kind), site.id)),
  }));
  return { id, url: addressOfBatch(id), measurements: await Promise.all(measurements) };
}

function secretsStayHere() {
  return problem(
    'runner_unknown',
    'The values of its secrets stay in the memory of this dashboard, so no other site can measure it.',
  );
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
