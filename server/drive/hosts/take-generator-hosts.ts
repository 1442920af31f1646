import { ProblemError, problem } from '../../../shared/base/problem.ts';
import type { HostShare, HostsUsed } from '../../../shared/measurement/runner.ts';
import { monotonicUs } from '../../base/process/cpu.ts';
import { quantile } from '../../method/statistics/intervals.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import type { BurstPart, Configuration } from '../load/load-messages.ts';
import { type Generator, type GeneratorProcess, generatorOf } from '../load/start-generator.ts';
import type { HostPool } from './generator-hosts.ts';
import type { JoinedHost } from './joined-host.ts';

type Totals = { requests: number; cpuUs: number };

/** Share of the time of bursts: a process that runs, or waits for a core, for more of it is the limit. */
const busy = 0.8;
/** Bursts begin this late, in the median, when a host gives its processes too little CPU: a tenth of a usual burst. */
const lateUs = 5000;

/** Figures of one host in a run, before and after losses. */
export class HostTally {
  readonly #lateUs: number[] = [];
  readonly #bursts = new Map<number, { cpuUs: number; heldUpUs: number; elapsedUs: number }>();
  #before: Totals = { requests: 0, cpuUs: 0 };
  #now = new Map<number, Totals>();

  noteBurst(process: number, { cpuUs, elapsedUs, lateUs, heldUpUs = 0 }: BurstPart): void {
    if (lateUs !== undefined) this.#lateUs.push(lateUs);
    const sums = this.#bursts.get(process) ?? { cpuUs: 0, heldUpUs: 0, elapsedUs: 0 };
    this.#bursts.set(process, {
      cpuUs: sums.cpuUs + cpuUs,
      heldUpUs: sums.heldUpUs + heldUpUs,
      elapsedUs: sums.elapsedUs + elapsedUs,
    });
  }

  noteTotals(process: number, totals: Totals): void {
    this.#now.set(process, totals);
  }

  /** Its processes have started again and count from zero. */
  begin(): void {
    this.#before = this.#all;
    this.#now = new Map();
  }

  describe(): Pick<HostShare, 'requests' | 'cpuUs' | 'busiestShare' | 'lateness' | 'limited'> {
    const medianUs = this.#lateUs.length === 0 ? 0 : quantile(this.#lateUs, 0.5);
    const bursts = [...this.#bursts.values()];
    const busiestShare = Math.max(0, ...bursts.map(({ cpuUs, elapsedUs }) => cpuUs / Math.max(1, elapsedUs)));
    const isBusy = bursts.some(({ cpuUs, heldUpUs, elapsedUs }) => cpuUs + heldUpUs > busy * elapsedUs);
    return {
      ...this.#all,
      busiestShare,
      limited: isBusy || medianUs > lateUs,
      lateness: {
        medianUs: Math.round(medianUs),
        longestUs: Math.round(this.#lateUs.reduce((longest, each) => Math.max(longest, each), 0)),
      },
    };
  }

  get #all(): Totals {
    const now = [...this.#now.values()];
    return {
      requests: this.#before.requests + sumOf(now.map(({ requests }) => requests)),
      cpuUs: this.#before.cpuUs + sumOf(now.map(({ cpuUs }) => cpuUs)),
    };
  }
}

/** Several hosts that act as one load generator. */
export type HostedGenerator = Generator & {
  /** Processes per host. */
  processes: number;
  /** Time per burst in which hosts wait for orders and answers, µs: measured on the bursts so far, before the first one estimated from round trips. */
  idleUs(): number;
  /**
   * After a host was lost: waits until it is back, and takes all hosts again. Returns false for any other error. Throws generator_lost when
   * the host does not come back.
   */
  recover(error: unknown): Promise<boolean>;
  /** Figures that the hosts have sent so far. */
  describe(): Promise<HostsUsed>;
};

type Choice = {
  /** Number of hosts, and of processes on each if all of them offer as many. */
  count: number;
  processes: number;
  /** Time for hosts to join. */
  waitS?: number;
  /** Called while too few hosts are free. */
  onWaiting(free: number): void;
  /** Ends all load at once. */
  signal: AbortSignal;
};

const usualWaitS = 60;
const longestAbsenceS = 30;
/** Added to the round trip, for the relay to the process and its timers. */
const orderUs = 1500;

/** Takes hosts that joined, or waits for them. Throws generators_missing. */
export async function takeGeneratorHosts(pool: HostPool, choice: Choice): Promise<HostedGenerator> {
  const { count, signal, onWaiting, waitS = usualWaitS } = choice;
  const first = await awaitHosts(pool, signal, waitS, (free) => {
    if (free.length >= count) return free.slice(0, count);
    onWaiting(free.length);
    return null;
  });
  if (first === null) {
    const free = pool.free().length;
    throw problem(
      'generators_missing',
      `The run asks for ${count} generator hosts, and ${free === 1 ? '1 is' : `${free} are`} free. It waited ${waitS} s.`,
    );
  }
  const processes = Math.min(choice.processes, ...first.map(({ cores }) => cores));
  const taken = new TakenHosts(pool, { ...choice, processes }, first);
  await taken.begin(first);
  return taken.generator();
}

class TakenHosts {
  readonly #pool: HostPool;
  readonly #choice: Choice;
  readonly #names: readonly string[];
  readonly #tallies = new Map<string, HostTally>();
  #hosts: readonly JoinedHost[] = [];
  #generator: Generator | null = null;
  #configuration: Configuration | null = null;
  #bursts = { count: 0, elapsedUs: 0, wallUs: 0 };
  #losses = 0;

  constructor(pool: HostPool, choice: Choice, first: readonly JoinedHost[]) {
    this.#pool = pool;
    this.#choice = choice;
    this.#names = first.map(({ name }) => name);
  }

  /** Starts the processes of all. */
  async begin(hosts: readonly JoinedHost[]): Promise<void> {
    const { signal, processes } = this.#choice;
    const fence = this.#pool.nextFence();
    this.#hosts = hosts;
    try {
      await Promise.all(hosts.map((host) => host.take(fence, processes, signal)));
    } catch (error) {
      this.#release();
      throw error;
    }
    for (const host of hosts) this.#tallyOf(host).begin();
    // Host by host, so that few connections are spread over all hosts.
    const all = Array.from({ length: processes }, (_, process) =>
      hosts.map((host) => this.#processOf(host, process)),
    ).flat();
    this.#generator = generatorOf(all, { stop: async () => this.#release(), aheadUs: () => this.#aheadUs() });
    if (this.#configuration !== null) await this.#generator.configure(this.#configuration);
  }

  generator(): HostedGenerator {
    const now = () => this.#generator as Generator;
    return {
      pids: [],
      processes: this.#choice.processes,
      configure: (configuration) => {
        this.#configuration = configuration;
        return now().configure(configuration);
      },
      prepare: (...asked) => now().prepare(...asked),
      run: (...asked) => now().run(...asked),
      clear: (arm) => now().clear(arm),
      burst: async (arm, slot) => {
        const fromUs = monotonicUs();
        const burst = await now().burst(arm, slot);
        this.#bursts.count++;
        // At a low rate the last response comes before the end of the burst.
        this.#bursts.elapsedUs += Math.max(burst.elapsedUs, 1000 * slot.durationMs);
        this.#bursts.wallUs += monotonicUs() - fromUs;
        return burst;
      },
      window: (options) => now().window(options),
      collect: (arm) => now().collect(arm),
      stop: async () => this.#release(),
      idleUs: () => this.#idleUs(),
      recover: (error) => this.#recover(error),
      describe: () => this.#describe(),
    };
  }

  async #recover(error: unknown): Promise<boolean> {
    if (!(error instanceof ProblemError) || error.problem.code !== 'generator_lost') return false;
    const { signal } = this.#choice;
    signal.throwIfAborted();
    this.#release();
    const back = await awaitHosts(this.#pool, signal, longestAbsenceS, (free) => {
      const named = this.#names.flatMap((name) => free.find((host) => host.name === name) ?? []);
      return named.length === this.#names.length ? named : null;
    });
    if (back === null) {
      const free = this.#pool.free().map(({ name }) => name);
      const missing = this.#names.filter((name) => !free.includes(name));
      const who = missing.length === 1 ? `generator ${missing[0]}` : `generators ${missing.join(', ')}`;
      throw problem('generator_lost', `The ${who} did not come back within ${longestAbsenceS} s.`);
    }
    this.#losses++;
    await this.begin(back);
    return true;
  }

  async #describe(): Promise<HostsUsed> {
    await this.#noteTotals();
    const { count, elapsedUs, wallUs } = this.#bursts;
    return {
      hosts: this.#hosts.map((host) => {
        const { roundTripUs = 0, withinUs = 0 } = host.clock.describe() ?? {};
        return {
          ...{ name: host.name, address: host.address, processes: this.#choice.processes },
          ...{ ...this.#tallyOf(host).describe(), roundTripUs, withinUs },
        };
      }),
      bursts: count,
      idleShare: wallUs === 0 ? 0 : Math.min(1, Math.max(0, 1 - elapsedUs / wallUs)),
      losses: this.#losses,
    };
  }

  async #noteTotals(): Promise<void> {
    const { processes } = this.#choice;
    const asked = this.#hosts.flatMap((host) =>
      Array.from({ length: processes }, async (_, process) => {
        this.#tallyOf(host).noteTotals(process, await host.ask(process, 'totals', undefined, 0));
      }),
    );
    // A lost host keeps its last totals.
    await Promise.allSettled(asked);
  }

  #processOf(host: JoinedHost, process: number): GeneratorProcess {
    const tally = this.#tallyOf(host);
    return {
      pid: null,
      name: host.name,
      clockUs: (atUs) => atUs + host.clock.offsetUs,
      async ask(name, question, { expectedMs = 0 } = {}) {
        const answer = await host.ask(process, name, question, expectedMs);
        if (name === 'burst') tally.noteBurst(process, answer as Parameters<HostTally['noteBurst']>[1]);
        return answer;
      },
      stop: async () => host.release(),
    };
  }

  #tallyOf({ name }: JoinedHost): HostTally {
    const known = this.#tallies.get(name) ?? new HostTally();
    this.#tallies.set(name, known);
    return known;
  }

  #release(): void {
    for (const host of this.#hosts) host.release();
  }

  #idleUs(): number {
    const { count, elapsedUs, wallUs } = this.#bursts;
    return count === 0 ? this.#aheadUs() + this.#tripUs() : Math.max(0, wallUs - elapsedUs) / count;
  }

  #aheadUs(): number {
    return this.#tripUs() + orderUs;
  }

  #tripUs(): number {
    return Math.max(...this.#hosts.map(({ clock }) => clock.usualTripUs));
  }
}

/** The first choice from the free hosts that is not null; null after `seconds`. */
async function awaitHosts(
  pool: HostPool,
  signal: AbortSignal,
  seconds: number,
  choose: (free: readonly JoinedHost[]) => readonly JoinedHost[] | null,
): Promise<readonly JoinedHost[] | null> {
  const late = AbortSignal.timeout(seconds * 1000);
  const until = AbortSignal.any([signal, late]);
  for (;;) {
    signal.throwIfAborted();
    const chosen = choose(pool.free());
    if (chosen !== null || late.aborted) return chosen;
    await pool.changed(until);
  }
}
