import type { Environment } from '../../../shared/base/environment.ts';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import type { Figures } from '../../../shared/measurement/history-view.ts';
import {
  isOver,
  type MeasuredEvent,
  type MeasurementState,
} from '../../../shared/measurement/measurement.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import { letGo } from '../../base/process/children.ts';
import { type Mask, maskSecrets } from '../../intake/traffic/redaction.ts';
import {
  type AnyDocument,
  type AnyKind,
  type Frame,
  isMeasured,
  type Kept,
  type Part,
} from '../../kinds/kind.ts';
import type { AnyEvent } from '../../kinds/told-event.ts';
import { signal as signalOthers, storeBlock } from '../database/events.ts';
import type { MeasurementLine } from '../database/list-measurements.ts';
import {
  buryMeasurement,
  type Claim,
  claimMeasurement,
  findState,
  isClaimLost,
  type MeasurementRecord,
  storeEnding,
  storeFacts,
  storeMeasured,
  storeStart,
} from '../database/measurements.ts';
import type { Database } from '../database/open-database.ts';
import { type EventLog, endOf, withPatience } from './event-log.ts';
import { type LiveDocument, openLiveDocument } from './live-document.ts';
import { summarise } from './summaries.ts';

/** One measurement of any kind, from the queue to its end. */
export type Life<House> = {
  readonly id: string;
  readonly kind: AnyKind<House>;
  /** Conducts it and stores how it ended. Settles when both are done, however long the store fails. */
  perform(signal: AbortSignal): Promise<void>;
  /**
   * Ends one that is not being performed: at once for whoever asks, in the store as soon as that works. It is taken
   * first, as another server may perform it, which must not write over its end.
   */
  end(state: MeasurementState, why: ProblemError | null): Promise<void>;
  /** Leaves only a tombstone when it has ended. */
  discard(): void;
  /** How it ended, while that waits to be stored. */
  ended(): MeasurementState | null;
  /** Names of the secrets that it needs. */
  secrets(): string[];
  /** Its line in lists now. */
  line(): MeasurementLine;
  /** Document at its permalink now. */
  document(): AnyDocument;
  /** Its frame, facts and blocks. */
  kept(): { frame: Frame<unknown>; kept: Kept<unknown, unknown> };
  /** The same as JSON; made once for however many who ask, until something is kept. */
  text(): string;
};

/** Blocks that an earlier server stored, and the secrets that this one was given. */
export type Before = {
  blocks: unknown[];
  secrets: SecretValues;
  /** Whether the fence of the record is ours already. */
  taken?: boolean;
};

export function openLife<House>(
  kind: AnyKind<House>,
  record: MeasurementRecord,
  { blocks, secrets, taken = false }: Before,
  parts: LifeParts<House>,
): Life<House> {
  const { id } = record;
  const { database, log, environment, lastCall, onError } = parts;
  const request = kind.requestSchema.parse(record.request);
  const facts = kind.factsSchema.parse(record.facts);
  const live = openLiveDocument(kind, frameOf(record, request, environment), { facts, blocks });
  const life: OneLife<House> = {
    ...parts,
    ...{ id, kind, secrets, live, mask: maskSecrets(secrets), claim: holdClaim(database, record, taken) },
    onProblem: ({ problem: { detail } }) => log.mention(id, { type: 'stalled', detail }),
  };
  let discarded = false;
  const end = (state: MeasurementState, why: ProblemError | null) => {
    if (discarded) return buryLife(life);
    // Measuring is done, so the state is finished whatever ended the additions.
    return isMeasured(live.frame) ? endLife(life, 'finished', null) : endLife(life, state, why);
  };

  return {
    id,
    kind,
    document: live.document,
    text: live.text,
    kept: () => ({ frame: { ...live.frame }, kept: live.kept() }),
    secrets: () => kind.secretsOf(request, live.facts()),
    ended: () => (isOver(live.frame.state) ? live.frame.state : null),
    discard: () => {
      discarded = true;
    },
    line() {
      const { state, createdAt, endedAt, problem } = live.frame;
      const asStored = !isOver(state) || discarded;
      const summary = asStored ? record.summary : summarise(kind, live.document());
      return { id, kind: kind.name, title: record.title, createdAt, state, endedAt, problem, summary };
    },

    async perform(signal) {
      try {
        await runLife(life, signal);
        await end('finished', null);
      } catch (error) {
        const why = signal.aborted ? signal.reason : error;
        if (isClaimLost(why)) return await loseLife(life);
        if (lastCall.aborted) throw why;
        const { state, problem } = endOf(why);
        if (problem.problem.code === 'internal') onError(why);
        await end(state, problem);
      }
    },

    async end(state, why) {
      try {
        await end(state, why);
      } catch (error) {
        if (!isClaimLost(error)) throw error;
        await loseLife(life);
      }
    },
  };
}

/** Makes its last document, stores it as soon as the store takes it, and tells whoever watches. */
async function endLife<House>(
  life: OneLife<House>,
  state: MeasurementState,
  why: ProblemError | null,
): Promise<void> {
  const { id, kind, mask, claim, live, database, log, onOver } = life;
  const patience = { signal: life.lastCall, onProblem: life.onProblem };
  const endedAt = live.frame.endedAt ?? live.now();
  live.change({ state, endedAt, problem: mask(why?.problem ?? null) });
  const last = lastDocument(life);
  live.settle(last);
  const ending = {
    state: last.state,
    endedAt,
    problem: last.problem,
    summary: summarise(kind, last),
    schemaVersion: kind.documentVersion,
    text: live.text(),
    figures: figuresOrNone(life, last),
  };
  await withPatience(async () => {
    await claim.take();
    await storeEnding(database, claim.current(), ending);
  }, patience);
  onOver();
  log.append(claim.current(), { type: 'end', state: last.state });
  await withPatience(() => log.flush(id), patience);
}

/** Leaves a tombstone instead of a document. */
async function buryLife<House>(life: OneLife<House>): Promise<void> {
  const { id, claim, live, database, log, lastCall, onProblem, onOver } = life;
  live.change({ state: 'incomplete', endedAt: live.now() });
  await withPatience(() => buryMeasurement(database, id, Date.now()), { signal: lastCall, onProblem });
  onOver();
  log.append(claim.current(), { type: 'end', state: 'incomplete' });
}

/** Another process has it, or had: what the store says of it counts. Whoever watches one that goes on asks again. */
async function loseLife<House>({ id, claim, database, log, onOver }: OneLife<House>): Promise<void> {
  const found = await findState(database, id).catch(() => null);
  onOver();
  if (found !== null && !isOver(found.state)) return;
  log.append(claim.current(), { type: 'end', state: found?.state ?? 'interrupted' });
}

/**
 * Its document, which everyone can read. What was measured and cannot be summed up, or not be read again, costs the blocks, and if need
 * be the facts, never the end.
 */
function lastDocument<House>({ kind, mask, live, onError }: OneLife<House>): AnyDocument {
  const less = [{ facts: live.facts(), blocks: [] }, live.begun];
  for (const kept of [live.kept(), ...less]) {
    try {
      const document = kind.documentOf(live.frame, kept);
      demandReadable(kind, document);
      return document;
    } catch (error) {
      onError(error);
      const { state, problem } = endOf(error);
      live.change({ state, problem: mask(problem.problem) });
    }
  }
  return kind.documentOf(live.frame, live.begun);
}

/** Numbers that are none become null in JSON. Throws internal. */
function demandReadable<House>({ documentSchema }: AnyKind<House>, document: AnyDocument): void {
  const { error } = documentSchema.safeParse(JSON.parse(JSON.stringify(document)));
  if (error === undefined) return;
  const [{ path } = { path: [] }] = error.issues;
  const part = path.map(String).join('.').slice(0, 200);
  throw problem('internal', `The result is not valid: its part “${part}” has no proper value.`, {
    cause: error,
  });
}

/** Rows that cannot be made cost the history, never the end. */
function figuresOrNone<House>({ kind, onError }: OneLife<House>, last: AnyDocument): Figures | null {
  try {
    return kind.figuresOf?.(last) ?? null;
  } catch (error) {
    onError(error);
    return null;
  }
}

/** A part that the store will not take for so long ends the measurement; its end is stored when the store can. */
const patienceWithPartsMs = 60_000;

/** Takes it, conducts it, and stores each part when it is made. Rejects with what ended it early. */
async function runLife<House>(life: OneLife<House>, signal: AbortSignal): Promise<void> {
  const { kind, house, secrets, mask, claim, live, log, onProblem } = life;
  await withPatience(() => begin(life), { signal, onProblem });
  log.append(claim.current(), { type: 'state', state: 'running', queuePosition: null });
  let isLetGo = false;
  const conduct = () =>
    kind.conduct(
      { ...live.kept(), id: live.frame.id, request: live.frame.request, secrets },
      {
        signal,
        tell: (event) => {
          if (!isLetGo) tell(life, mask(event));
        },
        keep: async (part) => {
          if (!isLetGo) await keep(life, part, signal);
        },
        measured: async () => {
          if (!isLetGo) await tellMeasured(life);
        },
      },
      house,
    );
  try {
    await letGo(conduct, signal);
  } finally {
    isLetGo = true;
  }
}

async function tellMeasured<House>({ kind, claim, live, log, database }: OneLife<House>): Promise<void> {
  const endedAt = live.now();
  live.change({ endedAt });
  const document = live.document();
  const event: MeasuredEvent = {
    type: 'measured',
    state: document.state,
    headline: document.state === 'finished' ? kind.headline(document) : null,
  };
  log.append(claim.current(), event);
  // If this fails, the end stores it.
  await storeMeasured(database, claim.current(), endedAt).catch(() => {});
}

/** Progress is not stored, because a commit per second would disturb the measurement. */
function tell<House>({ id, claim, log, database }: OneLife<House>, event: AnyEvent): void {
  if (event.type !== 'progress') {
    log.append(claim.current(), event);
    return;
  }
  log.mention(id, event);
  // A lost signal doesn't matter: the next one comes in a second.
  signalOthers(database, database.queries, { about: 'progress', id, text: JSON.stringify(event) }).catch(
    () => {},
  );
}

async function begin<House>({ claim, live, database, environment }: OneLife<House>): Promise<void> {
  await claim.take();
  const startedAt = live.now();
  live.change({ state: 'running', startedAt, environment });
  await storeStart(database, claim.current(), { startedAt, environment });
}

async function keep<House>(
  { kind, mask, claim, live, database, onProblem }: OneLife<House>,
  { facts, block }: Part<unknown, unknown>,
  signal: AbortSignal,
): Promise<void> {
  // Parts that come after the end was decided are stored with it.
  const patience = { signal, limitMs: patienceWithPartsMs, onProblem };
  if (block !== undefined) {
    const masked = kind.maskBlock?.(block, mask) ?? mask(block);
    const index = live.add(masked);
    const place = kind.placeOf?.(masked) ?? null;
    if (!signal.aborted) {
      await withPatience(() => storeBlock(database, claim.current(), index, masked, place), patience);
    }
  }
  if (facts !== undefined) {
    live.note(mask(facts));
    if (!signal.aborted) {
      await withPatience(() => storeFacts(database, claim.current(), live.facts()), patience);
    }
  }
}

/** Parts that a server gives every life. */
export type LifeParts<House> = {
  database: Database;
  log: EventLog;
  house: House;
  /** This machine. */
  environment: Environment;
  /** Aborted when the server can wait for its store no longer. */
  lastCall: AbortSignal;
  /** Told when its end is stored, before whoever watches hears of it, or when another server has it. */
  onOver(): void;
  onError(error: unknown): void;
};

/** The same with what is one life's own, for each of its stages. */
type OneLife<House> = LifeParts<House> & {
  id: string;
  kind: AnyKind<House>;
  secrets: SecretValues;
  /** Hides them in whatever is stored or told. */
  mask: Mask;
  claim: HeldClaim;
  live: LiveDocument;
  /** Tells whoever watches that the store fails, and that it goes on. */
  onProblem(problem: ProblemError): void;
};

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

/** The fence that one life writes with. */
type HeldClaim = {
  current(): Claim;
  /** Takes it from whoever else may have it, unless it is ours already. Throws claim_lost. */
  take(): Promise<void>;
};

/** @param taken whether the fence is ours already */
function holdClaim(database: Database, { id, fence }: Claim, taken: boolean): HeldClaim {
  let held: { claim: Claim; ours: boolean } = { claim: { id, fence }, ours: taken };
  return {
    current: () => held.claim,
    async take() {
      if (held.ours) return;
      const claim = await claimMeasurement(database, id);
      if (claim === null) throw problem('claim_lost', 'The run has ended or was deleted.');
      held = { claim, ours: true };
    },
  };
}

/** @param environment for one that has not begun */
export function frameOf(
  { id, state, createdAt, startedAt, endedAt, problem, environment: own }: MeasurementRecord,
  request: unknown,
  environment: Environment,
): Frame<unknown> {
  return { id, request, state, createdAt, startedAt, endedAt, problem, environment: own ?? environment };
}
