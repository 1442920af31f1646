import type { ProblemError } from '../../../../shared/base/problem.ts';
import { isOver, type MeasurementState } from '../../../../shared/measurement/measurement.ts';
import type { SecretValues } from '../../../../shared/scenario/scenario.ts';
import { maskSecrets } from '../../../intake/traffic/mask-secrets.ts';
import { type AnyDocument, type AnyKind, type Frame, isMeasured, type Kept } from '../../../kinds/kind.ts';
import { isClaimLost } from '../../database/fenced.ts';
import type { MeasurementLine } from '../../database/list-measurements.ts';
import type { MeasurementRecord } from '../../database/measurements.ts';
import { buryLife, endLife, loseLife } from '../end/end-life.ts';
import { endOf } from '../end/end-of.ts';
import { frameOf } from './frame-of.ts';
import { holdClaim } from './hold-claim.ts';
import type { LifeParts, OneLife } from './life-parts.ts';
import { openLiveDocument } from './live-document.ts';
import { runLife } from './run-life.ts';

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

/** What an earlier server kept of it, and what this one was given with it. */
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
      const summary = asStored ? record.summary : kind.summaryOf(live.document());
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
