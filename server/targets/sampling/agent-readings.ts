import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { byArm } from '../../../shared/base/arms.ts';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import type { Program } from '../../../shared/kinds/comparison/program.ts';
import type { AgentAt } from '../../../shared/target/readings.ts';
import { readProcessStat } from '../../base/process/proc.ts';
import { connectPinned } from '../../base/wire/pinned-channel.ts';
import { quantile } from '../../method/statistics/intervals.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import {
  type AgentAnswer,
  type AgentProblem,
  type AgentQuestion,
  type AgentReading,
  agentAnswerSchema,
  agentProblemSchema,
  agentProtocol,
  type Depth,
  type Greeting,
  greetingSchema,
  parseLine,
  readLines,
  seal,
  sealKey,
  unseal,
} from './agent-protocol.ts';
import { type OtherClocks, ownPids } from './every-process.ts';
import { machineId } from './machine.ts';
import type { HostReading, ResourceReading } from './process-sampler.ts';
import type { ProgramSource } from './programs.ts';
import { CpuCounts, type Readings, takenElsewhere } from './readings.ts';

type AgentConnection = {
  /** Questions that it answers a second. */
  mostPerS: number;
  /** Whether the agent also reads other programs. */
  companions: boolean;
  /**
   * Questions that come at once wait for each other. Throws agent_unreachable, agent_untrusted, or target_died in the agent's words.
   */
  read(depth: Depth): Promise<TimedReading>;
  /** Asks another question; returns the part of its answer with that name. */
  ask<Key extends PartName>(question: AgentQuestion, part: Key): Promise<Part<Key>>;
  close(): void;
};

/** @property roundTripUs from the question to its answer, on our clock */
type TimedReading = AgentReading & { roundTripUs: number };

type PartName = 'tied' | 'programs' | 'watching';
type Part<Key extends PartName> = Extract<AgentAnswer, Record<Key, unknown>>[Key];
type Parts = { [Key in PartName]?: Part<Key> };

const connectMs = 5000;
const answerMs = 5000;

/** Connects and proves both ends. Throws agent_unreachable, agent_untrusted, agent_version. */
export async function connectToAgent(
  at: AgentAt,
  token: string,
  signal?: AbortSignal,
): Promise<AgentConnection> {
  const conversation = new Conversation(at);
  const abandon = () => conversation.close();
  signal?.addEventListener('abort', abandon, { once: true });
  try {
    const greeting = await conversation.greeted();
    await conversation.begin(greeting, token);
    let last: Promise<unknown> = Promise.resolve();
    const inTurn = <Answer>(ask: () => Promise<Answer>) => {
      const answer = last.then(ask);
      last = answer.catch(() => {});
      return answer;
    };
    return {
      mostPerS: greeting.mostPerS ?? 1,
      companions: greeting.companions,
      read: (depth) => inTurn(() => conversation.read(depth)),
      ask: (question, part) => inTurn(() => conversation.askFor(question, part)),
      close: () => conversation.close(),
    };
  } catch (error) {
    conversation.close();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abandon);
  }
}

type Waiting = { onLine(line: string): void; reject(error: ProblemError): void };

class Conversation {
  readonly #at: AgentAt;
  readonly #socket: TLSSocket;
  #problem: ProblemError | null = null;
  #waiting: Waiting | null = null;
  /** Lines that came before they were waited for: the greeting. */
  #early: string[] = [];
  #key: Buffer = Buffer.alloc(0);
  #leastMs = 0;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(at: AgentAt) {
    this.#at = at;
    this.#socket = connectPinned(at, {
      untrusted: (what) => this.#fail(this.#untrusted(what)),
      unreachable: (what) => this.#fail(this.#unreachable(what)),
    });
    readLines(this.#socket, (line) => {
      if (this.#waiting !== null) this.#waiting.onLine(line);
      else if (this.#early.length === 0) this.#early.push(line);
      else this.#fail(this.#untrusted('says what it was not asked'));
    });
  }

  async greeted(): Promise<Greeting> {
    const line = await this.#line('did not greet', connectMs);
    const greeting = parseLine(greetingSchema, line);
    if (greeting === undefined) throw this.#untrusted('does not greet as an agent of TLS Toll does');
    if (greeting.protocol !== agentProtocol) {
      throw problem(
        'agent_version',
        `The agent at ${this.#at.name} speaks version ${greeting.protocol} of the protocol, and this dashboard version ${agentProtocol}.`,
      );
    }
    return greeting;
  }

  async begin(greeting: Greeting, token: string): Promise<void> {
    this.#key = sealKey(token, greeting, this.#socket);
    this.#leastMs = 1000 / (greeting.mostPerS ?? 1);
    await this.read('window');
  }

  async read(depth: Depth): Promise<TimedReading> {
    const { answer, roundTripUs } = await this.#ask({ read: depth });
    if (!('reading' in answer)) throw this.#otherAnswer();
    return { ...answer.reading, roundTripUs };
  }

  async askFor<Key extends PartName>(question: AgentQuestion, part: Key): Promise<Part<Key>> {
    const { answer } = await this.#ask(question);
    const parts: Parts = 'reading' in answer || 'ended' in answer ? {} : answer;
    const found = parts[part];
    if (found === undefined) throw this.#otherAnswer();
    return found;
  }

  async #ask(question: AgentQuestion): Promise<{ answer: AgentAnswer; roundTripUs: number }> {
    const waitMs = this.#askedAtMs + this.#leastMs - performance.now();
    if (waitMs > 0) await pause(Math.ceil(waitMs));
    const nonce = randomBytes(16).toString('hex');
    this.#askedAtMs = performance.now();
    const line = this.#line('did not answer', answerMs);
    this.#socket.write(`${seal(this.#key, 'dashboard', JSON.stringify({ nonce, ...question }))}\n`);
    const answered = await line;
    const roundTripUs = (performance.now() - this.#askedAtMs) * 1000;
    const refused = parseLine(agentProblemSchema, answered)?.refused;
    if (refused !== undefined) throw this.#problemOf(refused);
    const answer = parseLine(agentAnswerSchema, unseal(this.#key, 'agent', answered));
    if (answer === undefined) throw this.#untrusted('sent an answer that was not made with the token');
    if (answer.nonce !== nonce) throw this.#otherAnswer();
    if ('ended' in answer) throw problem('target_died', `The agent at ${this.#at.name}: ${answer.ended}`);
    return { answer, roundTripUs };
  }

  close(): void {
    this.#problem ??= this.#unreachable('was left');
    this.#socket.destroy();
  }

  /** The next line; a problem when it does not come. */
  #line(otherwise: string, ms: number): Promise<string> {
    const early = this.#early.shift();
    if (early !== undefined && this.#problem === null) return Promise.resolve(early);
    return new Promise<string>((resolve, reject) => {
      if (this.#problem !== null) return reject(this.#problem);
      const late = setTimeout(() => this.#fail(this.#unreachable(`${otherwise} within ${ms / 1000} s`)), ms);
      const over = () => {
        clearTimeout(late);
        this.#waiting = null;
      };
      this.#waiting = {
        onLine: (line) => {
          over();
          resolve(line);
        },
        reject: (error) => {
          over();
          reject(error);
        },
      };
    });
  }

  #fail(failure: ProblemError): void {
    this.#problem ??= failure;
    this.#waiting?.reject(this.#problem);
    this.#socket.destroy();
  }

  #unreachable(what: string): ProblemError {
    return problem('agent_unreachable', `The agent at ${this.#at.name} ${what}.`);
  }

  #otherAnswer(): ProblemError {
    return this.#untrusted('sent the answer to another question');
  }

  #untrusted(what: string): ProblemError {
    return problem('agent_untrusted', `The agent at ${this.#at.name} ${what}.`);
  }

  #problemOf(refused: AgentProblem): ProblemError {
    if (refused === 'token') return this.#untrusted('has another token');
    return this.#unreachable(
      refused === 'too_fast' ? 'was asked more often than it answers' : 'did not understand a question',
    );
  }
}

/** Readings with no load at the beginning: what a reading costs, and what the target uses from one to the next. */
const idleReadings = 20;

/** A run asks hundreds of times. An agent reads in less than a millisecond, and the rest is its network. */
const slowestUs = 1e6;

/** Answers after which a late median counts. */
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
  for (let reading = 0; reading < idleReadings; reading++) {
    ({ cpuUs } = await read('turn'));
    if (tripsUs.length >= fewestLate) demandQuick(at, quantile(tripsUs, 0.5));
  }
  const idleCpuUs = Math.max(0, cpuUs - beforeUs) / idleReadings;
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

/** Programs on the agent's host. Every reading contains their CPU, so they need no questions of their own. */
class ProgramsElsewhere implements ProgramSource {
  /** Whether that host is this machine, which also runs TLS Toll's own processes. */
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

  /** CPU so far that belongs to the target's cost, µs. */
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
