import type { ErrorGroup } from '../../../shared/base/outcome.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { LoadResult, Percentiles, PhaseTimes } from '../../../shared/kinds/comparison/slot.ts';
import { type AskedProcess, startAskedProcess } from '../../base/process/asked-process.ts';
import { monotonicUs } from '../../base/process/cpu.ts';
import { problemOfError } from '../../base/text/foreign-errors.ts';
import { encodeCounts, type Packed, TimeCounts } from '../../method/statistics/latency-histogram.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import { connecting, mostConnecting, sums } from './lane-count.ts';
import {
  type Burst,
  type BurstPart,
  bytesReached,
  type Configuration,
  type LoadPart,
  type Prepared,
  questions,
  type SlotOptions,
  type WindowOptions,
  type WindowResult,
} from './load-messages.ts';
import { newPhaseCounts, type PackedPhases, type PhaseCounts } from './slot-recorder.ts';

export type Generator = {
  pids: readonly number[];
  configure(configuration: Configuration): Promise<void>;
  /**
   * Opens the connections that a slot expects to find.
   * @param atRate whether it is one at a rate: what paces it is started as well
   * @param users that it will ask for, where those are more than were configured
   */
  prepare(arm: string, atRate?: boolean, users?: number): Promise<Prepared>;
  /** Runs one slot and resolves when its last response has come. */
  run(arm: string, slot: SlotOptions): Promise<LoadResult>;
  /** Forgets what bursts and windows have counted on the arm. */
  clear(arm: string): Promise<void>;
  /** Runs one slot beside what was counted before. */
  burst(arm: string, slot: SlotOptions): Promise<Burst>;
  /** Runs one window of lockstep, in one process, and resolves when nothing is in flight any more. */
  window<Name extends string>(options: WindowOptions<Name>): Promise<WindowResult<Name>>;
  /** All that was counted on the arm since `clear`. */
  collect(arm: string): Promise<LoadResult>;
  stop(): Promise<void>;
};

/**
 * Starts the load generator: one process, or several that share the virtual users and arrivals and are
 * asked together. Calls reject with the problem `generator_failed` when one of them dies or hangs.
 * @param signal ends all load at once: the processes are killed, and their calls reject with its reason
 */
export async function startGenerator(
  processes = 1,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Generator> {
  const starts = await Promise.allSettled(Array.from({ length: processes }, () => startProcess(signal)));
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const stop = async () => {
    await Promise.all(started.map((each) => each.stop()));
  };
  const failure = starts.find((start) => start.status === 'rejected');
  if (failure !== undefined) {
    await stop();
    throw failure.reason;
  }

  return generatorOf(started, { stop });
}

/** A process that generates, here or on another host. */
export type GeneratorProcess = Pick<AskedProcess<typeof questions>, 'ask' | 'stop'> & {
  /** Null on another host. */
  pid: number | null;
  /** The name of its host. */
  name?: string;
  /** Converts a time on our monotonic clock to its host's, µs. */
  clockUs?(atUs: number): number;
};

type GeneratorOptions = {
  stop(): Promise<void>;
  /** Time from an order to its start, so that all processes begin together, µs; left out to begin at once. */
  aheadUs?: () => number;
};

/** Several processes as one: they share the virtual users and arrivals and are asked together. */
export function generatorOf(
  started: readonly GeneratorProcess[],
  { stop, aheadUs }: GeneratorOptions,
): Generator {
  let used = started;
  /** The longest that opening all connections may take. */
  let openingMs = 0;
  /** The longest that a transaction may take. */
  let transactionMs = 0;

  /** Every answer, also where one fails: a slot is never left running behind the caller's back. */
  async function all<T>(ask: (each: GeneratorProcess, index: number) => Promise<T>): Promise<T[]> {
    const answers = await Promise.allSettled(used.map(ask));
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    });
  }

  /** The slot as each process is asked for it. */
  function timed(slot: SlotOptions): (each: GeneratorProcess) => SlotOptions {
    if (aheadUs === undefined) return () => slot;
    const startUs = monotonicUs() + aheadUs();
    return ({ clockUs }) => ({ ...slot, startAtUs: clockUs?.(startUs) ?? startUs });
  }

  return {
    pids: started.flatMap(({ pid }) => pid ?? []),
    async configure(configuration) {
      openingMs = longestOpeningMs(configuration);
      transactionMs = longestTransactionMs(configuration);
      // A process without a virtual user would have nothing to wait for.
      const of = Math.min(started.length, configuration.connections);
      used = started.slice(0, of);
      await all(({ ask }, index) => ask('configure', { configuration, share: { index, of } }));
    },
    async prepare(arm, atRate = false, users) {
      const question = { arm, atRate, ...(users === undefined ? {} : { users }) };
      const parts = await all(({ ask }) => ask('prepare', question, { expectedMs: openingMs }));
      demandSameTls(used, parts);
      return mergePrepared(parts);
    },
    async run(arm, slot) {
      const expectedMs = slot.durationMs + transactionMs;
      const slotOf = timed(slot);
      return mergeParts(await all((each) => each.ask('run', { arm, slot: slotOf(each) }, { expectedMs })));
    },
    async clear(arm) {
      await all(({ ask }) => ask('clear', { arm }));
    },
    async burst(arm, slot) {
      const expectedMs = slot.durationMs + transactionMs;
      const slotOf = timed(slot);
      return mergeBursts(await all((each) => each.ask('burst', { arm, slot: slotOf(each) }, { expectedMs })));
    },
    async window<Name extends string>(options: WindowOptions<Name>) {
      const [first] = used;
      if (first === undefined) throw new Error('the generator was not configured');
      // A group has a turn of each arm.
      const groupMs = options.arms.length * options.turnTransactions * transactionMs;
      const result = await first.ask('window', options, { expectedMs: options.durationMs + groupMs });
      return result as WindowResult<Name>;
    },
    async collect(arm) {
      return mergeParts(await all(({ ask }) => ask('collect', { arm })));
    },
    stop,
  };
}

/** One address may lead several hosts to different servers. Throws not_comparable. */
function demandSameTls(processes: readonly GeneratorProcess[], parts: readonly Prepared[]): void {
  const said = parts.flatMap(({ negotiated }, index) => {
    const name = processes[index]?.name;
    return negotiated === null || name === undefined ? [] : { ...negotiated, name };
  });
  const [first] = said;
  if (first === undefined) return;
  const group = said.find((each) => each.group !== null)?.group ?? null;
  const differs = (each: (typeof said)[number]) =>
    each.protocol !== first.protocol ||
    each.cipher !== first.cipher ||
    (each.group !== null && each.group !== group);
  const other = said.find(differs);
  if (other === undefined) return;
  const inWords = (each: (typeof said)[number]) =>
    `${[each.protocol, each.cipher, ...(each.group === null ? [] : [each.group])].join(', ')} with ${each.name}`;
  throw problem('not_comparable', `The target agreed on ${inWords(first)}, but on ${inWords(other)}.`);
}

const generatorScript = new URL('./generator.ts', import.meta.url);

function startProcess(signal: AbortSignal | undefined): Promise<AskedProcess<typeof questions>> {
  return startGeneratorProcess({
    ...{ signal, graceMs: 15_000 },
    refused: (refusal) =>
      refusal.message.startsWith(bytesReached)
        ? problem('limit_reached', `${refusal.message}.`)
        : problemOfError('generator_failed', 'The load generator failed', refusal),
  });
}

type ProcessOptions = Partial<Pick<Parameters<typeof startAskedProcess>[0], 'refused' | 'signal'>> & {
  graceMs: number;
};

export function startGeneratorProcess(options: ProcessOptions): Promise<AskedProcess<typeof questions>> {
  const named = { questions, name: 'The load generator', code: 'generator_failed' } as const;
  return startAskedProcess({ ...named, script: generatorScript, ...options });
}

/** How long a generator may take, in ms: past that it is considered hung. */

type Paced = Pick<Configuration, 'listeners' | 'connections'>;
type Performed = Paced & Pick<Configuration, 'scenario' | 'thinkTimeScale' | 'requestTimeoutMs'>;

/** For one transaction, also while all users wait for the rate of another host. */
export function longestTransactionMs(configuration: Performed): number {
  const { scenario, thinkTimeScale = 1, requestTimeoutMs } = configuration;
  const pacedMs = longestPacedMs(configuration);
  return scenario.steps.reduce(
    (sum, { thinkTimeMs = 0 }) => sum + thinkTimeMs * thinkTimeScale + requestTimeoutMs + pacedMs,
    0,
  );
}

/**
 * Longest time for opening all connections: on a busy machine each lot may need its whole time, for example when 5,000 TLS handshakes share
 * two cores with other work.
 */
export function longestOpeningMs(configuration: Paced & Pick<Configuration, 'requestTimeoutMs'>): number {
  const lots = Math.ceil(configuration.connections / mostConnecting);
  return lots * configuration.requestTimeoutMs + longestPacedMs(configuration);
}

/** For as many connections or requests as there are users to begin at the rate of another host; 0 on this machine. */
export function longestPacedMs({ listeners, connections }: Paced): number {
  const rates = listeners.flatMap(({ permit }) => permit?.caps.requestsPerS ?? []);
  return rates.length === 0 ? 0 : (1000 * connections) / Math.min(...rates);
}

/** The slot as a whole, from what each process did of it. Percentiles are those of all values together. */
function mergeParts(parts: readonly LoadPart[]): LoadResult {
  const sum = (pick: (part: LoadPart) => number) => sumOf(parts.map(pick));
  const transaction = addPhases(parts.map((part) => part.transaction));
  const steps = parts[0]?.steps.map((_, index) =>
    addPhases(parts.flatMap((part) => part.steps[index] ?? [])),
  );
  const closed = parts.every((part) => part.due === null);
  const ttfb = add(parts.flatMap((part) => part.steps.map((step) => step.ttfbUs)));
  const executions = sum((part) => part.executions);
  const idleCloses = sum((part) => part.idleCloses ?? 0);
  return {
    elapsedUs: Math.max(...parts.map((part) => part.elapsedUs)),
    windowUs: Math.max(...parts.map((part) => part.windowUs)),
    ...sums(parts, ['started', 'succeeded', 'succeededInWindow', 'requests']),
    ...(idleCloses === 0 ? {} : { idleCloses }),
    due: closed ? null : sum((part) => part.due ?? 0),
    ...sums(parts, ['wireBytesRead', 'wireBytesWritten', 'bodyBytes', ...connecting]),
    lifetime: sums(
      parts.map(({ lifetime }) => lifetime),
      connecting,
    ),
    negotiated: parts.find((part) => part.negotiated !== null)?.negotiated ?? null,
    errors: addErrors(parts.map((part) => part.errors)),
    latencyUs: percentilesOf(transaction.latencyUs),
    latencyHistogram: encodeCounts(transaction.latencyUs),
    latencyFromDueUs: percentilesOf(
      closed ? transaction.latencyUs : add(parts.map((part) => part.latencyFromDue)),
    ),
    latenessUs: percentilesOf(add(parts.map((part) => part.lateness))),
    ttfbUs: percentilesOf(ttfb),
    phases: timesOf(transaction),
    phaseHistograms: {
      connectUs: encodeUnlessEmpty(transaction.connectUs),
      tlsUs: encodeUnlessEmpty(transaction.tlsUs),
      ttfbUs: encodeUnlessEmpty(transaction.ttfbUs),
      downloadUs: encodeUnlessEmpty(transaction.downloadUs),
    },
    executionTimeUs: executions === 0 ? null : sum((part) => part.executionUs) / executions,
    steps: (steps ?? []).map((step) => ({ latencyUs: percentilesOf(step.latencyUs), ...timesOf(step) })),
    generatorCpuUs: sum((part) => part.cpuUs),
    generatorBusiestUs: Math.max(...parts.map((part) => part.cpuUs)),
  };
}

function mergeBursts(parts: readonly BurstPart[]): Burst {
  return {
    elapsedUs: Math.max(...parts.map((part) => part.elapsedUs)),
    windowUs: Math.max(...parts.map((part) => part.windowUs)),
    ...sums(parts, ['started', 'succeeded', 'transactionsInWindow', 'cpuUs']),
    busiestUs: Math.max(...parts.map((part) => part.cpuUs)),
  };
}

function mergePrepared(parts: readonly Prepared[]): Prepared {
  return {
    ...sums(parts, connecting),
    negotiated: parts.find((part) => part.negotiated !== null)?.negotiated ?? null,
    errors: addErrors(parts.map((part) => part.errors)),
  };
}

function addErrors(lists: readonly ErrorGroup[][]): ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>();
  for (const group of lists.flat()) {
    const key = `${group.step} ${group.outcome} ${group.detail}`;
    const before = groups.get(key);
    groups.set(key, { ...group, count: group.count + (before?.count ?? 0) });
  }
  return [...groups.values()];
}

function addPhases(parts: readonly PackedPhases[]): PhaseCounts {
  const sum = newPhaseCounts();
  for (const part of parts) {
    for (const phase of Object.keys(sum) as (keyof PhaseCounts)[]) sum[phase].addPacked(part[phase]);
  }
  return sum;
}

function add(packed: readonly Packed[]): TimeCounts {
  const sum = new TimeCounts();
  for (const part of packed) sum.addPacked(part);
  return sum;
}

function timesOf(counts: PhaseCounts): PhaseTimes {
  const orNull = (times: TimeCounts) => (times.count === 0 ? null : percentilesOf(times));
  return {
    connectUs: orNull(counts.connectUs),
    tlsUs: orNull(counts.tlsUs),
    ttfbUs: orNull(counts.ttfbUs),
    downloadUs: orNull(counts.downloadUs),
  };
}

function encodeUnlessEmpty(counts: TimeCounts): string | null {
  return counts.count === 0 ? null : encodeCounts(counts);
}

function percentilesOf(counts: TimeCounts): Percentiles {
  return {
    count: counts.count,
    p50: counts.percentile(50),
    p90: counts.percentile(90),
    p99: counts.percentile(99),
    max: counts.max,
  };
}
