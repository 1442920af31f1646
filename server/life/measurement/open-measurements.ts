import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../../../shared/base/environment.ts';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import { thisMachine } from '../../../shared/team/audit.ts';
import type { AnyDocument, AnyKind } from '../../kinds/kind.ts';
import { findLabels } from '../database/assignments.ts';
import { listBlocks } from '../database/blocks.ts';
import { readDocument } from '../database/documents.ts';
import { listEvents, storeEvents } from '../database/events.ts';
import { findLabel } from '../database/labels.ts';
import { findMeasurement, findState, reopenMeasurement } from '../database/measurements.ts';
import type { Database } from '../database/open-database.ts';
import { addressOf } from './address-of.ts';
import { createBatch } from './create-batch.ts';
import { createMeasurement } from './create-measurement.ts';
import { openEventLog } from './event-log.ts';
import { findKnown } from './find-known.ts';
import { frameOf } from './frame-of.ts';
import { hashText } from './hash-text.ts';
import { bringHistoryUpToDate } from './history.ts';
import { listRunners } from './list-runners.ts';
import type { MachineQueue } from './machine-queue.ts';
import type { DocumentText, KeptOf, Measurements } from './measurements.ts';
import { openBatches } from './open-batches.ts';
import { openDispatch, runnerOf, type Self } from './open-dispatch.ts';
import { openList } from './open-list.ts';
import { openLives } from './open-lives.ts';
import { openShownTexts } from './open-shown-texts.ts';
import type { NoteLoad } from './origin.ts';
import { printAs } from './print-as.ts';
import { readChanges } from './read-changes.ts';
import { saidOf } from './said-of.ts';
import { loadStopped, type StopSwitch } from './stop-switch.ts';
import { upgradeDocument } from './upgrade.ts';

export type MeasurementsOptions<House> = {
  database: Database;
  queue: MachineQueue;
  stopSwitch: StopSwitch;
  kinds: readonly AnyKind<House>[];
  house: House;
  /** This machine. */
  environment: Environment;
  /** What this process is on a database that several share: a runner, or a dashboard that leaves measuring to others. */
  self?: Self | undefined;
  onTrouble?(trouble: ProblemError): void;
  noteLoad: NoteLoad;
  onFault(error: unknown): void;
};

/** How often the store is looked through for what a failure of its own has left behind, and for what is to leave the bin. */
const sweepEveryMs = 30_000;
/** Whoever cancels waits so long for a store that fails; then it is stored later. */
const longestStoringMs = 1_000;

/** Takes up where an earlier server stopped: what was running is interrupted, what was queued is queued again. */
export async function openMeasurements<House>({
  database,
  queue,
  stopSwitch,
  kinds,
  house,
  environment: machine,
  self,
  noteLoad,
  onTrouble,
  onFault,
}: MeasurementsOptions<House>): Promise<Measurements> {
  const runner = runnerOf(database, self);
  const environment = runner === null ? machine : { ...machine, runner };
  const log = openEventLog(
    {
      store: (claim, events) => storeEvents(database, claim, events),
      list: (id, afterId) => listEvents(database, id, afterId),
    },
    onFault,
  );
  const deleteTokens = new Map<string, string>();
  const lives = openLives({
    ...{ database, queue, stopSwitch, log, kindOf, house, environment, onFault },
    onOver: (id) => void deleteTokens.delete(id),
  });
  const { dispatch, runner: measuring } = openDispatch({
    ...{ database, queue, stopSwitch, log, lives, kindOf, self, machine, onTrouble, onFault },
  });
  const creation = { database, dispatch, stopSwitch, house, kindOf, noteLoad, deleteTokens };
  const { storedSummary, liveSummary, summaries, emptyBin, ...list } = openList({
    ...{ database, kindOf, onFault },
    placesOf: dispatch.placesOf,
    isAlive: (id) => lives.of(id) !== undefined,
  });
  const batches = openBatches({ database, kindOf, summaries });
  const shownText = openShownTexts();
  const known = <Found>(id: string, find: () => Promise<Found | null>) => findKnown(database, id, find);

  function kindOf(name: string): AnyKind<House> {
    const kind = kinds.find((each) => each.name === name);
    if (kind !== undefined) return kind;
    const message = `kind must be one of ${kinds.map((each) => each.name).join(', ')}`;
    throw problem('invalid_request', {
      detail: `The body: ${message}.`,
      errors: [{ field: 'kind', message }],
    });
  }

  async function read(id: string): Promise<DocumentText & { kind: AnyKind<House>; value: unknown }> {
    const life = lives.of(id);
    if (life !== undefined) {
      const text = async () => life.text();
      return { kind: life.kind, value: life.document(), text, packed: null, final: false };
    }
    const record = await known(id, () => findState(database, id));
    const kind = kindOf(record.kind);
    if (!isOver(record.state)) {
      const view = await lives.view(await known(id, () => findMeasurement(database, id)));
      return { kind, value: view.document(), text: async () => view.text(), packed: null, final: false };
    }
    const stored = await readDocument(database, id);
    if (stored === null) throw problem('database_damaged', `The document of ${id} is missing.`);
    if (stored.schemaVersion === kind.documentVersion) {
      return { kind, value: null, text: stored.unpack, packed: stored.packed, final: true };
    }
    const value = upgradeDocument(kind, JSON.parse(await stored.unpack()));
    return { kind, value, text: async () => JSON.stringify(value), packed: null, final: true };
  }

  async function document(id: string) {
    const { kind, value, text, final } = await read(id);
    const parsed = (value ?? kind.documentSchema.parse(JSON.parse(await text()))) as AnyDocument;
    return { kind, document: parsed, final };
  }

  async function kept(id: string): Promise<KeptOf> {
    const life = lives.of(id);
    if (life !== undefined) {
      const { frame, kept } = life.kept();
      const blocks = async (place: number) =>
        kept.blocks.filter((block) => life.kind.placeOf?.(block) === place);
      return { kind: life.kind.name, frame, facts: kept.facts, blocks };
    }
    const record = await known(id, () => findMeasurement(database, id));
    const { requestSchema, factsSchema, blockSchema, placeOf } = kindOf(record.kind);
    return {
      kind: record.kind,
      frame: frameOf(record, requestSchema.parse(record.request), environment),
      facts: factsSchema.parse(record.facts),
      blocks: async (place) =>
        (await listBlocks(database, id, place))
          .map((block) => blockSchema.parse(block))
          .filter((block) => placeOf?.(block) === place),
    };
  }

  async function lookThrough(): Promise<void> {
    await dispatch.takeUp();
    await emptyBin(Date.now());
  }

  await bringHistoryUpToDate({ database, kinds, onFault });
  await lookThrough();
  // A store that fails now is asked again later.
  const sweep = setInterval(() => void lookThrough().catch(() => {}), sweepEveryMs);
  sweep.unref();

  return {
    ...list,
    create: (...asked) => createMeasurement(creation, ...asked),
    batches: { ...batches, create: (...asked) => createBatch(creation, ...asked) },

    async summary(id) {
      const life = lives.of(id);
      return life === undefined ? storedSummary(id) : liveSummary(life.line());
    },

    async cancel(id, keep) {
      const life = lives.of(id);
      if (life === undefined) {
        const { state } = await known(id, () => findState(database, id));
        if (isOver(state) || !(await dispatch.ask(id, keep ? 'cancel' : 'discard'))) {
          throw problem('run_over', `It has already ended (${state}).`);
        }
        // One that waited may be gone by now.
        return storedSummary(id);
      }
      const ended = life.ended();
      if (ended !== null) throw problem('run_over', `It has already ended (${ended}) and is being stored.`);
      if (!keep) life.discard();
      const before = problem('run_cancelled', 'It was canceled before it started.');
      const ending = lives.endWaiting(id, before);
      if (ending === null) {
        queue.abort(id, problem('run_cancelled', 'It was canceled.'));
      } else await Promise.race([ending, pause(longestStoringMs, undefined, { ref: false })]);
      return liveSummary(life.line());
    },

    async stop() {
      stopSwitch.press();
      // First what waits: it would begin as soon as the one before it ends.
      const waiting = lives.ids().filter((id) => lives.endWaiting(id, loadStopped()) !== null);
      const here = waiting.length + (queue.abortRunning(loadStopped()) ? 1 : 0);
      return here + (await dispatch.askAll());
    },

    async resume(id, by = thisMachine) {
      const stopped = stopSwitch.signal();
      const { kind, state } = await known(id, () => findState(database, id));
      if (kindOf(kind).resumable !== true) {
        throw problem('not_resumable', 'This kind of measurement always starts over.');
      }
      await dispatch.demandRoom([{}]);
      // One whose end waits to be stored is not over yet.
      const enroll = await dispatch.enrollAgain(id);
      if (lives.of(id) !== undefined || !(await reopenMeasurement(database, id, enroll, by.userId))) {
        throw problem('not_resumable', `It is ${state}. Only a measurement that ended early can be resumed.`);
      }
      await dispatch.beginAgain(id, stopped);
      const life = lives.of(id);
      await noteLoad(by, 'launched', (await kept(id)).frame.request, addressOf(kindOf(kind), id));
      return life === undefined ? storedSummary(id) : liveSummary(life.line());
    },

    async readDocument(id) {
      const { text, packed, final } = await read(id);
      return { text, packed, final };
    },

    readShown: async (id) => shownText(await read(id)),

    async demandReadable(id) {
      if (lives.of(id) === undefined) await read(id);
    },

    async print(id, format) {
      const { kind, document: printed, final } = await document(id);
      const kept = async () => {
        const blocks = await listBlocks(database, id);
        return blocks.map((block) => kind.blockSchema.parse(block));
      };
      const label = () => findLabel(database, id);
      return { content: await printAs(kind, printed, format, { kept, label }), final };
    },

    async document(id) {
      const { kind, ...rest } = await document(id);
      return { ...rest, kind: kind.name, ...saidOf(kind, rest.document) };
    },

    changes: (pair) => readChanges({ document, titleOf: async (id) => (await list.label(id)).title }, pair),

    kept,

    async asked(id) {
      const { kind, frame, facts } = await kept(id);
      const { generatedTitle: title, tags } = await list.label(id);
      const secrets = kindOf(kind).secretsOf(frame.request, facts);
      const labels = await findLabels(database, id);
      const requestHash = hashText(JSON.stringify(frame.request));
      return { kind, request: frame.request, requestHash, secrets, title, tags, labels };
    },

    mirror: dispatch.mirror,
    follow: dispatch.follow,

    async events(id, afterId) {
      const { state } = await known(id, () => findState(database, id));
      const events = await log.list(id, afterId);
      const last = events.at(-1);
      // Who has read as far as the log goes has had its end, if it was told at all.
      if ((events.length === 0 && afterId > 0) || last?.type === 'end') return events;
      const end = { type: 'end', text: JSON.stringify({ type: 'end', state }) };
      return [...events, { id: (last?.id ?? afterId) + 1, ...end }];
    },

    status: () => queue.status(),

    runners: () => listRunners(dispatch, storedSummary),

    demandRunner: dispatch.demandRunner,

    runner: measuring,

    async close() {
      clearInterval(sweep);
      await measuring?.close();
      await lives.close();
      await measuring?.leave();
      await dispatch.close();
    },
  };
}
