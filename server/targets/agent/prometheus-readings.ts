import { byArm } from '../../../shared/base/arms.ts';
import { isLoopback } from '../../../shared/base/loopback.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { Program } from '../../../shared/kinds/comparison/program.ts';
import type { AgentAt, ExporterAt } from '../../../shared/target/readings.ts';
import { readProcessStat } from '../../base/process/proc.ts';
import { median, quantile } from '../../method/statistics/intervals.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import { machineId } from '../sampling/environment.ts';
import { type OtherClocks, ownPids } from '../sampling/every-process.ts';
import type { HostReading, ResourceReading } from '../sampling/process-sampler.ts';
import type { ProgramSource } from '../sampling/programs.ts';
import { CpuCounts, type Readings, takenElsewhere } from '../sampling/readings.ts';
import { type AgentConnection, connectToAgent, Scraper, type TimedReading } from './agent-connection.ts';
import type { AgentReading, Depth } from './protocol.ts';

/**
 * The readings of an exporter, which knows all arms' processes together. What reading costs the target itself is subtracted.
 * Throws exporter_unreachable, exporter_unusable, target_died, here and wherever it is read.
 */
export async function openPrometheusReadings<Name extends string>(
  arms: readonly Name[],
  at: ExporterAt,
  token: string | null,
  signal?: AbortSignal,
): Promise<Readings<Name>> {
  const exporter = new ExporterCount(at, token, signal);
  await exporter.start();
  let refused: string | null = null;
  return {
    ...takenElsewhere,
    readAll: async () => {
      if (refused !== null) return byArm(arms, () => null);
      const { cpuUs, rssBytes } = await exporter.read();
      const all = {
        ...{ atUs: performance.now() * 1000, cpuUs, cpuTickUs: null, cpuStepUs: exporter.stepUs ?? 0 },
        ...{ rssBytes, pssBytes: rssBytes, diskReadBytes: null, diskWriteBytes: null, processes: 1 },
      };
      return byArm(arms, () => all);
    },
    // It tells one count.
    cpuChecks: () => [],
    readCpu: async () => {
      if (refused !== null) return null;
      const { cpuUs } = await exporter.read();
      return byArm(arms, () => cpuUs);
    },
    stepUs: () => exporter.stepUs,
    // In the middle of a slot it would be work of the target's that belongs to no transaction.
    readCurve: async () => null,
    sum: (cpuUs) => cpuUs[arms[0] as Name],
    remote: {
      get readTurnUs() {
        return refused === null ? async () => (await exporter.read(true)).cpuUs : null;
      },
      readingUs: exporter.tripUs(0.5),
      readEveryUs: 1e6 / at.mostPerS,
      grain: () => ({ stepUs: exporter.stepUs, readingCpuUs: exporter.idleCpuUs }),
      refuse: (sentence) => {
        refused = sentence;
      },
      // Of the rest of its host an exporter of one process says nothing.
      lastHost: () => null,
      describe: () => ({ ...exporter.describe(), ...(refused === null ? {} : { refused }) }),
      programs: null,
    },
    close: () => exporter.close(),
  };
}

/** Waits without a change while the target works, from which on they are no chance. */
const enoughStill = 2;

/**
 * Learns the steps of a counter of CPU, in µs, from what it shows. A counter that counts seconds or ticks only ever moves by whole
 * ones. One that its exporter keeps for a while stands still while the target works, and then makes a leap.
 */
export class CounterSteps {
  readonly #leaps: number[] = [];
  #divisorUs: number | null = null;
  #still = 0;

  /** Any change that was seen, zero and less included. */
  saw(gainUs: number): void {
    // Sums of floating-point numbers end in noise.
    const gain = Math.round(gainUs);
    if (gain <= 0) return;
    let divisor = this.#divisorUs ?? 10 ** Math.floor(Math.log10(gain));
    while (divisor > 1 && gain % divisor !== 0) divisor /= 10;
    this.#divisorUs = divisor;
  }

  /** A change over a stretch in which the target worked. */
  sawWork(gainUs: number): void {
    this.saw(gainUs);
    if (Math.round(gainUs) > 0) this.#leaps.push(gainUs);
    else this.#still++;
  }

  /** Null while the counter has not moved. */
  get stepUs(): number | null {
    if (this.#divisorUs === null) return null;
    if (this.#still < enoughStill || this.#leaps.length === 0) return this.#divisorUs;
    return Math.max(this.#divisorUs, median(this.#leaps));
  }
}

/** With no load at the beginning: what a reading costs the target, whose own process may be the exporter. */
const idleReadings = 10;

/** The count of an exporter, without what reading it costs. */
class ExporterCount {
  /** Of one reading. */
  idleCpuUs = 0;
  readonly #at: ExporterAt;
  readonly #scraper: Scraper;
  readonly #steps = new CounterSteps();
  readonly #tripsUs: number[] = [];
  #lastUs: number | null = null;
  #sinceTurn = false;

  constructor(at: ExporterAt, token: string | null, signal: AbortSignal | undefined) {
    this.#at = at;
    this.#scraper = new Scraper(at, token, signal);
  }

  /** Reads it with no load. Throws as `read` does, and is closed then. */
  async start(): Promise<void> {
    try {
      await this.read();
      this.#tripsUs.length = 0;
      const fromUs = this.#lastUs ?? 0;
      for (let reading = 0; reading < idleReadings; reading++) await this.read();
      this.idleCpuUs = ((this.#lastUs ?? 0) - fromUs) / idleReadings;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Throws exporter_unreachable, exporter_unusable, target_died.
   * @param turn whether the target did nothing but a turn since the reading before
   */
  async read(turn = false): Promise<{ cpuUs: number; rssBytes: number }> {
    const { cpuUs, rssBytes, roundTripUs } = await this.#scraper.read();
    this.#tripsUs.push(roundTripUs);
    const gainUs = cpuUs - (this.#lastUs ?? cpuUs);
    if (gainUs < -1) throw restarted(this.#at);
    if (turn && this.#sinceTurn) this.#steps.sawWork(gainUs);
    else this.#steps.saw(gainUs);
    this.#lastUs = cpuUs;
    this.#sinceTurn = turn;
    return { cpuUs: cpuUs - this.#tripsUs.length * this.idleCpuUs, rssBytes };
  }

  /** In which it counts; null while that is not known. */
  get stepUs(): number | null {
    return this.#steps.stepUs;
  }

  /** Of a reading's way there and back. */
  tripUs(share: number): number {
    return quantile(this.#tripsUs, share);
  }

  describe() {
    const { idleCpuUs, stepUs } = this;
    return {
      ...{
        by: 'prometheus' as const,
        at: this.#at.name,
        sameMachine: isLoopback(this.#at.address),
        idleCpuUs,
      },
      roundTripUs: this.tripUs(0.5),
      withinUs: this.tripUs(0.99) / 2,
      ...(stepUs === null ? {} : { stepUs }),
    };
  }

  close(): void {
    this.#scraper.close();
  }
}

function restarted({ name, cpu }: ExporterAt): Error {
  return problem(
    'target_died',
    `${cpu.text} at ${name} went back: a process was started again, or has ended.`,
  );
}

/** Readings with no load at the beginning: what a reading costs, and what the target uses from one to the next. */
const readingsIdleReadings = 20;
/** A run asks hundreds of times. An agent reads in less than a millisecond, and the rest is its network. */
const slowestUs = 1e6;
/** So many answers are late before an agent is. */
const fewestLate = 3;

/**
 * The readings of an agent. It reads one group of processes for all arms, so that only one of them may be at work. Throws
 * agent_unreachable, agent_untrusted, agent_version, target_died, here and wherever it is read.
 * @param signal that ends the opening; once it is open, `close` does
 */
export async function openAgentReadings<Name extends string>(
  arms: readonly Name[],
  at: AgentAt,
  token: string,
  signal?: AbortSignal,
): Promise<Readings<Name>> {
  const connection = await connectToAgent(at, token, signal);
  signal?.addEventListener('abort', connection.close, { once: true });
  try {
    signal?.throwIfAborted();
    return await tryOut(arms, at, connection);
  } catch (error) {
    connection.close();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', connection.close);
  }
}

async function tryOut<Name extends string>(
  arms: readonly Name[],
  at: AgentAt,
  connection: AgentConnection,
): Promise<Readings<Name>> {
  const tripsUs: number[] = [];
  let host: TimedReading['host'] = null;
  const read = async (depth: Depth): Promise<AgentReading> => {
    const { roundTripUs, ...reading } = await connection.read(depth);
    tripsUs.push(roundTripUs);
    host = reading.host ?? host;
    programs.note(reading.others);
    return reading;
  };
  const programs = new ProgramsElsewhere(connection, async () => void (await read('edge')));

  // The first one lists and warms up what the others only look at.
  const { cpuUs: beforeUs } = await read('edge');
  tripsUs.length = 0;
  let cpuUs = beforeUs;
  for (let reading = 0; reading < readingsIdleReadings; reading++) {
    ({ cpuUs } = await read('turn'));
    if (tripsUs.length >= fewestLate) demandQuick(at, quantile(tripsUs, 0.5));
  }
  const idleCpuUs = Math.max(0, cpuUs - beforeUs) / readingsIdleReadings;
  const sameMachine = (host as TimedReading['host'])?.machine === (machineId() ?? '');
  programs.isHere = sameMachine;

  const counts = new CpuCounts(arms, () => at.name);

  return {
    ...takenElsewhere,
    readAll: async () => {
      const all = resourcesOf(await read('edge'));
      return counts.note(byArm(arms, () => all));
    },
    cpuChecks: () => counts.checks(),
    readCpu: async () => {
      const { cpuUs: nowUs } = await read('window');
      return byArm(arms, () => nowUs);
    },
    stepUs: () => null,
    readCurve: async () => {
      const { cpuUs: nowUs, rssBytes } = await read('curve');
      return { cpuUs: nowUs, rssBytes: rssBytes ?? 0 };
    },
    sum: (cpuUs) => cpuUs[arms[0] as Name],
    remote: {
      readTurnUs: async () => (await read('turn')).cpuUs + programs.countedUs(),
      readingUs: quantile(tripsUs, 0.5),
      readEveryUs: 1e6 / connection.mostPerS,
      grain: () => null,
      refuse: () => {},
      lastHost: () => (sameMachine ? null : hostOf(host)),
      describe: () => ({
        ...{ by: 'agent' as const, at: at.name, sameMachine, idleCpuUs },
        roundTripUs: quantile(tripsUs, 0.5),
        withinUs: quantile(tripsUs, 0.99) / 2,
        ...(programs.areRead ? { companions: true as const } : {}),
      }),
      programs: connection.companions ? programs : null,
    },
    close: () => connection.close(),
  };
}

/** The programs on the agent's host. Every reading tells what they have used, so they are asked for nothing of their own. */
class ProgramsElsewhere implements ProgramSource {
  /** Whether that is this machine, so that what TLS Toll itself runs is there. */
  isHere = false;
  /** Whether any were looked for. */
  areRead = false;
  readonly #connection: AgentConnection;
  readonly #readEdge: () => Promise<void>;
  #counts: OtherClocks['counts'] = 'not';
  readonly #us = new Map<number, number>();
  #kernelUs = 0;
  #children: ReturnType<OtherClocks['readChildren']> = [];
  #ended: number | undefined;

  constructor(connection: AgentConnection, readEdge: () => Promise<void>) {
    this.#connection = connection;
    this.#readEdge = readEdge;
  }

  note(others: AgentReading['others']): void {
    if (others === undefined) return;
    for (const [key, us] of others.gainedUs) this.#us.set(key, (this.#us.get(key) ?? 0) + us);
    this.#kernelUs = others.kernelUs;
    this.#children = others.children ?? this.#children;
    this.#ended = others.ended ?? this.#ended;
  }

  /** CPU so far that is part of the target's cost, µs. */
  countedUs(): number {
    return this.#counts === 'not' ? 0 : sumOf([...this.#us.values()]);
  }

  async watchEvery(): Promise<OtherClocks | null> {
    const firstStartTicks = readProcessStat(process.pid)?.startTicks ?? 0;
    const every = this.isHere ? { pids: ownPids(), firstStartTicks } : null;
    const watching = await this.#connection.ask({ every }, 'watching');
    return watching === null ? null : this.#begin('not', watching.stepUs);
  }

  tied(_: readonly number[], pids: readonly number[]): Promise<readonly number[]> {
    return this.#connection.ask({ tied: [...pids] }, 'tied');
  }

  group(workers: readonly number[]): Promise<Program[]> {
    return this.#connection.ask({ group: [...workers] }, 'programs');
  }

  async watch(programs: readonly Program[]): Promise<OtherClocks> {
    const asked = programs.map(({ pids, startTicks }) => ({ pids, startTicks }));
    const watching = await this.#connection.ask({ programs: asked }, 'watching');
    const clocks = this.#begin('beside', watching?.stepUs ?? null);
    for (const place of programs.keys()) this.#us.set(place, 0);
    return clocks;
  }

  /** An agent reads its target's processes as one program. */
  async ended(programs: readonly Program[]): Promise<Program | null> {
    await this.#readEdge();
    return this.#ended === undefined ? null : (programs[1 + this.#ended] ?? null);
  }

  async leave(): Promise<void> {
    await this.#connection.ask({ programs: [] }, 'watching');
  }

  #begin(counts: OtherClocks['counts'], stepUs: number | null): OtherClocks {
    this.areRead = true;
    this.#counts = counts;
    this.#us.clear();
    this.#ended = undefined;
    return {
      ...{ counts, stepUs, awaitAsleep: takenElsewhere.awaitAsleep },
      readUs: () => new Map(this.#us),
      readKernelUs: () => this.#kernelUs,
      readChildren: () => this.#children,
    };
  }
}

function demandQuick({ name }: AgentAt, tripUs: number): void {
  if (tripUs <= slowestUs) return;
  const needed = `A run needs one within ${slowestUs / 1e6} s`;
  throw problem(
    'agent_unreachable',
    `The agent at ${name} takes ${(tripUs / 1e6).toFixed(1)} s for an answer. ${needed}.`,
  );
}

function resourcesOf({ atUs, cpuUs, rssBytes, whole }: AgentReading): ResourceReading | null {
  if (whole === null) return null;
  return { atUs, cpuUs, rssBytes: rssBytes ?? 0, ...whole };
}

function hostOf(host: AgentReading['host']): (HostReading & { cores: number; agentUs: number }) | null {
  if (host === null) return null;
  const { machine: _, ...reading } = host;
  return reading;
}
