import { z } from 'zod';
import { tlsProfileSchema } from '../../../shared/base/tls-profile.ts';
import { armNameSchema } from '../../../shared/base/transport-schema.ts';
import { countSchema, nonNegativeSchema } from '../../../shared/base/units.ts';
import { connectionPolicySchema, planSchema } from '../../../shared/kinds/comparison/load-profile.ts';
import { loadResultSchema } from '../../../shared/kinds/comparison/slot.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { type Caps, type Listener, listenerSchema } from '../../../shared/target/target.ts';
import { Pace, strictest } from '../../base/addresses/load-limits.ts';
import { Reason } from '../../base/text/foreign-errors.ts';
import { isPacked } from '../../method/statistics/latency-histogram.ts';

/** Questions to a process of the load generator. */

const slotOptionsSchema = z.strictObject({
  durationMs: z.number().positive(),
  discardMs: z.number().nonnegative(),
  /** Transactions per second of all processes together; null for a closed loop. */
  ratePerS: z.number().positive().nullable(),
  /** Time in which the rate rises from 0 to `ratePerS`. */
  rampMs: z.number().nonnegative().default(0),
  /** Row of the scenario's data that the first transaction takes. */
  firstRow: countSchema.default(0),
  /** Whether all transactions take that row; else each takes the next one. */
  sameRow: z.boolean().default(false),
  /** Virtual users of all processes together that take part; left out for all. */
  users: z.int().positive().optional(),
  /** When it begins, on the monotonic clock of its host, µs; left out for at once. */
  startAtUs: nonNegativeSchema.optional(),
});
export type SlotOptions = z.input<typeof slotOptionsSchema>;

/** One window of lockstep. */
const windowOptionsSchema = z.strictObject({
  durationMs: z.number().positive(),
  /** Arms that users visit in turn. */
  arms: z.array(armNameSchema).min(1).readonly(),
  /** Each goes from arm to arm, in orders of its own. */
  users: z.int().positive(),
  /** Transactions of a turn. */
  turnTransactions: z.int().positive(),
  /** Roots of each arm's process tree, where arms share one: its CPU is read at every turn. Else null, and the caller reads it. */
  trees: z.record(armNameSchema, z.array(z.int().positive())).nullable(),
  /** Seed of the random orders. */
  seed: countSchema,
  /** Row of the scenario's data that the first group takes. */
  firstRow: countSchema,
  /** Whether all groups take that row; else each takes the next one. */
  sameRow: z.boolean().default(false),
});
export type WindowOptions<Name extends string> = Omit<
  z.input<typeof windowOptionsSchema>,
  'arms' | 'trees'
> & {
  arms: readonly Name[];
  trees: Record<Name, number[]> | null;
};
/** The options after parsing, with their defaults. */
export type AskedWindow<Name extends string> = Omit<z.output<typeof windowOptionsSchema>, 'arms' | 'trees'> &
  Pick<WindowOptions<Name>, 'arms' | 'trees'>;

const windowResultSchema = z.strictObject({
  elapsedUs: nonNegativeSchema,
  arms: z.record(
    armNameSchema,
    z.strictObject({
      transactions: countSchema,
      /** Null where the caller reads it. */
      cpuUs: nonNegativeSchema.nullable(),
    }),
  ),
  /**
   * Latencies in µs, one an arm in each group, in the order of the options; each the mean of a turn. A group in which
   * something failed is left out.
   */
  latenciesUs: z
    .instanceof(Float32Array)
    .refine((all) => all.every((us) => Number.isFinite(us) && us >= 0), 'a latency is a number'),
  generatorCpuUs: nonNegativeSchema,
  /** Groups begun by all users, the failed ones too. */
  groups: countSchema,
});
type AnyWindowResult = z.infer<typeof windowResultSchema>;
export type WindowResult<Name extends string = string> = Omit<AnyWindowResult, 'arms'> & {
  /** Results of the arms that were asked for. */
  arms: Record<Name, AnyWindowResult['arms'][string]>;
};

/** Result of one burst at the maximum. */
const burstPartSchema = loadResultSchema
  .pick({ elapsedUs: true, windowUs: true, started: true, succeeded: true })
  .extend({
    /** Succeeded transactions, of each as much as lay inside the window. */
    transactionsInWindow: nonNegativeSchema,
    cpuUs: nonNegativeSchema,
    /** By which it began later than asked for; left out where it was to begin at once. */
    lateUs: nonNegativeSchema.optional(),
    /** In which it could have gone on, and its host gave it no core; left out where that is not known. */
    heldUpUs: nonNegativeSchema.optional(),
  });
export type BurstPart = z.infer<typeof burstPartSchema>;

/** One burst of all processes. */
export type Burst = BurstPart & {
  /** CPU of the busiest process. */
  busiestUs: number;
};

/** Which part of the virtual users and arrivals is this process's: the `index`-th of `of`. */
const shareSchema = z.strictObject({ index: countSchema, of: z.int().positive() });
export type Share = z.infer<typeof shareSchema>;

const configurationSchema = z.strictObject({
  listeners: z.array(listenerSchema),
  scenario: scenarioSchema,
  tls: tlsProfileSchema,
  connectionPolicy: connectionPolicySchema,
  requestsPerConnection: planSchema.shape.requestsPerConnection,
  thinkTimeScale: z.number().nonnegative().default(1),
  /** Total of all processes. */
  connections: z.int().positive(),
  requestTimeoutMs: z.int().positive(),
});
/** A configuration as given: missing fields take their defaults. */
export type Configuration = z.input<typeof configurationSchema>;

const preparedSchema = loadResultSchema.pick({
  connectionsOpened: true,
  handshakesFull: true,
  handshakesResumed: true,
  renegotiations: true,
  negotiated: true,
  errors: true,
});
export type Prepared = z.infer<typeof preparedSchema>;

const packedSchema = z.instanceof(Uint32Array).refine(isPacked, 'these are not counts of times');
const packedPhasesSchema = z.strictObject({
  latencyUs: packedSchema,
  connectUs: packedSchema,
  tlsUs: packedSchema,
  ttfbUs: packedSchema,
  downloadUs: packedSchema,
});

/** One process's part of a slot; `mergeParts` makes the slot's result of all. */
const loadPartSchema = loadResultSchema
  .omit({
    latencyUs: true,
    latencyHistogram: true,
    latencyFromDueUs: true,
    latenessUs: true,
    ttfbUs: true,
    phases: true,
    phaseHistograms: true,
    executionTimeUs: true,
    steps: true,
    generatorCpuUs: true,
    generatorBusiestUs: true,
  })
  .extend({
    cpuUs: nonNegativeSchema,
    executionUs: nonNegativeSchema,
    executions: countSchema,
    transaction: packedPhasesSchema,
    /** Empty in a closed loop. */
    latencyFromDue: packedSchema,
    lateness: packedSchema,
    steps: z.array(packedPhasesSchema),
  });
export type LoadPart = z.infer<typeof loadPartSchema>;

/** How every error begins once the bytes of another host are used up. */
export const bytesReached = 'The limit of bytes';

export const questions = {
  configure: {
    question: z.strictObject({ configuration: configurationSchema, share: shareSchema }),
    answer: z.void(),
  },
  prepare: {
    question: z.strictObject({
      arm: armNameSchema,
      atRate: z.boolean(),
      users: z.int().positive().optional(),
    }),
    answer: preparedSchema,
  },
  clear: { question: z.strictObject({ arm: armNameSchema }), answer: z.void() },
  burst: {
    question: z.strictObject({ arm: armNameSchema, slot: slotOptionsSchema }),
    answer: burstPartSchema,
  },
  window: { question: windowOptionsSchema, answer: windowResultSchema },
  collect: { question: z.strictObject({ arm: armNameSchema }), answer: loadPartSchema },
  run: { question: z.strictObject({ arm: armNameSchema, slot: slotOptionsSchema }), answer: loadPartSchema },
  /** On a host that was taken for a while: until when, on its monotonic clock. Past it the process ends before it sends again. */
  lease: { question: z.strictObject({ untilUs: nonNegativeSchema }), answer: z.void() },
  /** Since the process began, on all arms. */
  totals: {
    question: z.void(),
    answer: z.strictObject({ requests: countSchema, cpuUs: nonNegativeSchema }),
  },
};

/** The exit code of a process whose lease was not renewed in time. */
const leaseOver = 3;

/**
 * Requests and bytes that this process may still send to a target on another host, regardless of who asks for them. Requests are paced
 * evenly, so that a target never sees more than its rate, and bytes are counted from the start of the process.
 */
export class LoadBudget {
  readonly #caps: Caps;
  readonly #host: string;
  readonly #share: Share;
  readonly #pace: Pace;
  #leaseUntilMs = Number.POSITIVE_INFINITY;
  /** Rejects when the bytes are used up. */
  readonly exhausted: Promise<never>;
  readonly #exhaust: (reason: Error) => void;

  constructor(host: string, caps: Caps, share: Share) {
    this.#host = host;
    this.#caps = caps;
    this.#share = share;
    this.#pace = new Pace(caps.requestsPerS / share.of);
    const { promise, reject } = Promise.withResolvers<never>();
    this.exhausted = promise;
    this.#exhaust = reject;
    // Nobody may be waiting when that happens.
    promise.catch(() => {});
  }

  /** Null where all listeners are on this machine. */
  static of(listeners: readonly Listener[], share: Share): LoadBudget | null {
    const permit = strictest(listeners);
    return permit === null ? null : new LoadBudget(permit.host, permit.caps, share);
  }

  /** Checks the total of all arms and processes. Throws when there are more than the target takes. */
  demandConnections(connections: number): void {
    if (connections <= this.#caps.connections) return;
    throw new Reason(`${this.#host} takes at most ${this.#caps.connections} connections, not ${connections}`);
  }

  /** Throws for more requests per second than the target takes; those of a closed loop are paced one by one. */
  demandRate(requestsPerS: number): void {
    if (requestsPerS <= this.#caps.requestsPerS) return;
    throw new Reason(`${this.#host} takes at most ${this.#caps.requestsPerS} requests per second`);
  }

  /** Until then it may be spent, on the clock of `performance.now()`. */
  lease(untilMs: number): void {
    this.#leaseUntilMs = untilMs;
  }

  /** How long the next request has to wait, in whole ms. */
  waitMs(nowMs: number): number {
    return forTimer(this.#pace.waitMs(nowMs));
  }

  /** The same for a request that is going to be sent; the ones after it wait for it as well. */
  take(nowMs: number): number {
    return forTimer(this.#pace.take(1, nowMs));
  }

  /**
   * Ends this process where the lease is over: its share may be another one's by now. Asked right before anything is sent, because this host
   * may have been stopped since it was due.
   */
  demandLease(nowMs: number): void {
    if (nowMs > this.#leaseUntilMs) process.exit(leaseOver);
  }

  /** @param bytes sent and received by this process so far. Returns false once they are used up. */
  spend(bytes: number): boolean {
    if (bytes <= this.#caps.bytes / this.#share.of) return true;
    this.#exhaust(new Reason(`${bytesReached} of ${this.#host} (${this.#caps.bytes / 1e6} MB) was reached`));
    return false;
  }
}

/** A timer knows whole milliseconds. A request may be sent that much early; those after it gain nothing from that. */
function forTimer(ms: number): number {
  return ms < 1 ? 0 : Math.ceil(ms);
}
