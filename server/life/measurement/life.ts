import type { Environment } from '../../../shared/base/environment.ts';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import type { Figures } from '../../../shared/measurement/history.ts';
import { isOver, type MeasurementState } from '../../../shared/measurement/measurement.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import { maskSecrets } from '../../intake/traffic/mask-secrets.ts';
import type { AnyDocument, AnyKind, Frame, Kept, Part } from '../../kinds/kind.ts';
import { storeBlock } from '../database/blocks.ts';
import { isClaimLost } from '../database/fenced.ts';
import type { MeasurementLine } from '../database/list-measurements.ts';
import {
  buryMeasurement,
  claimMeasurement,
  findState,
  type MeasurementRecord,
  storeEnding,
  storeFacts,
  storeStart,
} from '../database/measurements.ts';
import type { Database } from '../database/open-database.ts';
import { endOf } from './end-of.ts';
import type { EventLog } from './event-log.ts';
import { withPatience } from './with-patience.ts';

/** One measurement of any kind, from the queue to its end. */
export type Life<House> = {
  readonly kind: AnyKind<House>;
  /** Conducts it and stores how it ended. Settles when both are done, however long the store fails. */
  perform(signal: AbortSignal): Promise<void>;
  /**
   * Ends one that is not being performed: at once for whoever asks, in the store as soon as that works. It is taken
   * first, as another server may perform it, which must not write over its end.
   */
  end(state: MeasurementState, why: ProblemError | null): Promise<void>;
  /** What it is to leave behind when it has ended: a tombstone. */
  discard(): void;
  /** How it ended, while that waits to be stored. */
  ended(): MeasurementState | null;
  /** Names of the secrets that it needs. */
  secrets(): string[];
  /** What lists show now. */
  line(): MeasurementLine;
  /** What its permalink shows now. */
  document(): AnyDocument;
  /** What it is known by, and what was noted and kept of it. */
  kept(): { frame: Frame<unknown>; kept: Kept<unknown, unknown> };
  /** The same as JSON; made once for however many who ask, until something is kept. */
  text(): string;
};

export type LifeParts<House> = {
  database: Database;
  log: EventLog;
  house: House;
  /** This machine. */
  environment: Environment;
  /** Aborted when the server can wait for its store no longer. */
  lastCall: AbortSignal;
  /** Told when its end is stored, before whoever watches hears of it. */
  onOver(id: string): void;
  onFault(error: unknown): void;
};

/** A part that the store will not take for so long ends the measurement; its end is stored when the store can. */
const patienceWithPartsMs = 60_000;

/**
 * @param blocks what an earlier server kept of it
 * @param taken whether the fence of the record is ours already
 */
export function openLife<House>(
  kind: AnyKind<House>,
  record: MeasurementRecord,
  blocks: unknown[],
  secrets: SecretValues,
  { database, log, house, environment, lastCall, onOver, onFault }: LifeParts<House>,
  taken = false,
): Life<House> {
  const { id } = record;
  const request = kind.requestSchema.parse(record.request);
  const mask = maskSecrets(secrets);
  const onTrouble = ({ problem: { detail } }: ProblemError) => log.mention(id, { type: 'stalled', detail });
  let facts = kind.factsSchema.parse(record.facts);
  let claim = { id, fence: record.fence };
  let held = taken;
  let discarded = false;
  let shown: { document: AnyDocument; text: string | null } | null = null;
  const frame = frameOf(record, request, environment);

  async function take(): Promise<void> {
    const newest = await claimMeasurement(database, id);
    if (newest === null) throw problem('claim_lost', 'The measurement has ended or was deleted.');
    claim = newest;
    held = true;
  }

  async function begin(): Promise<void> {
    if (!held) await take();
    change({ state: 'running', startedAt: Date.now(), environment });
    await storeStart(database, claim, { startedAt: frame.startedAt ?? 0, environment });
  }

  async function keep({ facts: noted, block }: Part<unknown, unknown>, signal: AbortSignal): Promise<void> {
    // What comes after the end was decided is stored with it.
    const patience = { signal, limitMs: patienceWithPartsMs, onTrouble };
    if (block !== undefined) {
      const masked = kind.maskBlock?.(block, mask) ?? mask(block);
      const index = blocks.push(masked) - 1;
      shown = null;
      const place = kind.placeOf?.(masked) ?? null;
      if (!signal.aborted) {
        await withPatience(() => storeBlock(database, claim, index, masked, place), patience);
      }
    }
    if (noted !== undefined) {
      facts = mask(noted);
      shown = null;
      if (!signal.aborted) await withPatience(() => storeFacts(database, claim, facts), patience);
    }
  }

  async function end(state: MeasurementState, why: ProblemError | null): Promise<void> {
    const patience = { signal: lastCall, onTrouble };
    if (discarded) {
      change({ state: 'incomplete', endedAt: Date.now() });
      await withPatience(() => buryMeasurement(database, id, Date.now()), patience);
      onOver(id);
      log.append(claim, { type: 'end', state: 'incomplete' });
      return;
    }
    change({ state, endedAt: Date.now(), problem: mask(why?.problem ?? null) });
    const last = documentOrNone();
    change({ state: last.state, problem: last.problem });
    shown = { document: last, text: null };
    const ending = {
      state: last.state,
      endedAt: frame.endedAt ?? 0,
      problem: last.problem,
      summary: kind.summaryOf(last),
      schemaVersion: kind.documentVersion,
      text: text(),
      figures: figuresOrNone(last),
    };
    await withPatience(async () => {
      if (!held) await take();
      await storeEnding(database, claim, ending);
    }, patience);
    onOver(id);
    log.append(claim, { type: 'end', state: last.state });
    await withPatience(() => log.flush(id), patience);
  }

  /** Another process has it, or had: what the store says of it counts. Whoever watches one that goes on asks again. */
  async function lose(): Promise<void> {
    const found = await findState(database, id).catch(() => null);
    onOver(id);
    if (found !== null && !isOver(found.state)) return;
    log.append(claim, { type: 'end', state: found?.state ?? 'interrupted' });
  }

  /** What was measured and cannot be summed up costs the blocks, never the end. */
  function documentOrNone(): AnyDocument {
    try {
      return document();
    } catch (error) {
      onFault(error);
      const { state, problem: why } = endOf(error);
      change({ state, problem: mask(why.problem) });
      return kind.documentOf(frame, { facts, blocks: [] });
    }
  }

  /** Rows that cannot be made cost the history, never the end. */
  function figuresOrNone(last: AnyDocument): Figures | null {
    try {
      return kind.figuresOf?.(last) ?? null;
    } catch (error) {
      onFault(error);
      return null;
    }
  }

  function change(to: Partial<Frame<unknown>>): void {
    Object.assign(frame, to);
    shown = null;
  }

  function document(): AnyDocument {
    shown ??= { document: kind.documentOf(frame, { facts, blocks }), text: null };
    return shown.document;
  }

  function text(): string {
    const made = document();
    if (shown === null) return JSON.stringify(made);
    shown.text ??= JSON.stringify(made);
    return shown.text;
  }

  return {
    kind,
    document,
    text,
    kept: () => ({ frame: { ...frame }, kept: { facts, blocks: [...blocks] } }),
    async end(state, why) {
      try {
        await end(state, why);
      } catch (error) {
        if (!isClaimLost(error)) throw error;
        await lose();
      }
    },
    line: () => ({
      ...{ id, kind: kind.name, title: record.title, createdAt: frame.createdAt },
      ...{ state: frame.state, endedAt: frame.endedAt, problem: frame.problem },
      summary: frame.endedAt === null || discarded ? record.summary : kind.summaryOf(document()),
    }),
    secrets: () => kind.secretsOf(request, facts),
    discard: () => {
      discarded = true;
    },
    ended: () => (frame.endedAt === null ? null : frame.state),

    async perform(signal) {
      try {
        await withPatience(begin, { signal, onTrouble });
        log.append(claim, { type: 'state', state: 'running', queuePosition: null });
        await kind.conduct(
          { request, facts, secrets, blocks: [...blocks] },
          {
            signal,
            tell: (event) => log.append(claim, mask(event)),
            keep: (part) => keep(part, signal),
          },
          house,
        );
        await end('finished', null);
      } catch (error) {
        const why = signal.aborted ? signal.reason : error;
        if (isClaimLost(why)) return await lose();
        if (lastCall.aborted) throw why;
        const { state, problem: reason } = endOf(why);
        if (reason.problem.code === 'internal') onFault(why);
        await end(state, reason);
      }
    },
  };
}

/** @param environment for one that has not begun */
export function frameOf(
  { id, state, createdAt, startedAt, endedAt, problem: why, environment: own }: MeasurementRecord,
  request: unknown,
  environment: Environment,
): Frame<unknown> {
  const frame = { id, request, state, createdAt, startedAt, endedAt, problem: why };
  return { ...frame, environment: own ?? environment };
}
