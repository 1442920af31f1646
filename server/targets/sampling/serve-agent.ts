import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { TLSSocket } from 'node:tls';
import { ProblemError } from '../../../shared/base/problem.ts';
import type { Program } from '../../../shared/kinds/comparison/program.ts';
import { readProcessStat } from '../../base/process/proc.ts';
import { servePinned, TokenBucket } from '../../base/wire/pinned-channel.ts';
import {
  type AgentAnswer,
  type AgentProblem,
  type AgentQuestion,
  type AgentReading,
  agentProtocol,
  agentQuestionSchema,
  type Depth,
  type Greeting,
  longestEnding,
  longestProgramName,
  mostPrograms,
  parseLine,
  readLines,
  seal,
  sealKey,
  unseal,
} from './agent-protocol.ts';
import type { WatchedProcesses } from './cgroup.ts';
import { type ClocksHere, watchEveryProcess, watchPrograms } from './every-process.ts';
import { machineId } from './machine.ts';
import { readHost, sampleProcesses } from './process-sampler.ts';
import { groupPrograms, placeOfEnded, tiesTo } from './programs.ts';
import { watchMs } from './readings.ts';

const mostQuestionsPerS = 250;
/** At once; one needs a single connection. */
const mostDashboards = 4;
/** Until the first question. */
const introductionMs = 5000;
/** After an order that was not taken. */
const leavingMs = 1000;
/** Between two questions: a run may wait for its target in between. */
const idleMs = 15 * 60_000;

type AgentOptions = {
  host: string;
  port: number;
  token: string;
  /** PEM. */
  identity: { certificatePem: string; keyPem: string };
  /** Called for each connection, so that a target that was started again is found. Throws when there is none. */
  watch(): WatchedProcesses;
  /** Whether it also reads other programs, and tells their names and PIDs. */
  companions: boolean;
};

type RunningAgent = { port: number; close(): Promise<void> };

/** Serves readings to everybody with the token. Throws address_in_use, invalid_environment. */
export async function serveAgent({ token, watch, companions, ...at }: AgentOptions): Promise<RunningAgent> {
  return servePinned({
    ...at,
    handshakeMs: introductionMs,
    mostFriends: mostDashboards,
    converse: (socket, introduce) => converse(socket, token, { watch, introduce, companions }),
  });
}

type Host = Pick<AgentOptions, 'watch' | 'companions'> & {
  /** Told of each question. Returns whether there is a place for whoever has the token. */
  introduce(): boolean;
};

/** Greets, and answers until the other end is gone or says what is not a question. */
function converse(socket: TLSSocket, token: string, { watch, introduce, companions }: Host): void {
  const nonce = randomBytes(16).toString('hex');
  const key = sealKey(token, { nonce }, socket);
  const questions = new TokenBucket(mostQuestionsPerS, performance.now());
  let answerTo: ((question: AgentQuestion) => AgentAnswer) | null = null;
  const answer = (question: AgentQuestion): AgentAnswer => {
    try {
      answerTo ??= answererOf(watch());
      return answerTo(question);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      // Processes that were restarted have to be looked for again.
      answerTo = null;
      return { ended: error.problem.detail.slice(0, longestEnding) };
    }
  };
  const destroy = () => void socket.destroy();
  const refuse = (refused: AgentProblem) => {
    socket.removeAllListeners('data').resume();
    socket.end(`${JSON.stringify({ refused })}\n`);
    // Who stays nevertheless takes no place.
    setTimeout(destroy, leavingMs);
  };

  // Who has gone cannot be told.
  socket.on('error', destroy);
  // By the clock, as somebody could send a byte now and then.
  const introduction = setTimeout(destroy, introductionMs);
  socket.once('close', () => clearTimeout(introduction));
  socket.on('timeout', destroy);
  const greeting: Greeting = {
    agent: 'tls-toll',
    protocol: agentProtocol,
    nonce,
    mostPerS: mostQuestionsPerS,
    companions,
  };
  socket.write(`${JSON.stringify(greeting)}\n`);
  readLines(socket, (line) => {
    const text = unseal(key, 'dashboard', line);
    if (text === null) return refuse('token');
    const question = parseLine(agentQuestionSchema, text);
    if (question === undefined || !('read' in question || companions)) return refuse('not_a_question');
    if (!introduce()) return destroy();
    if (!questions.take(performance.now())) return refuse('too_fast');
    clearTimeout(introduction);
    socket.setTimeout(idleMs);
    const said = { nonce: question.nonce, ...answer(question) };
    socket.write(`${seal(key, 'agent', JSON.stringify(said))}\n`);
  });
}

/** Reads the target and the programs that it is asked to watch. */
function answererOf(watched: WatchedProcesses): (question: AgentQuestion) => AgentAnswer {
  let besides: Besides | null = null;
  const read = readerOf(watched);
  const pidsOfTarget = () => watched.list().map(({ pid }) => pid);
  const watching = (begun: Besides | null, isBegun = begun !== null): AgentAnswer => {
    besides = begun;
    return { watching: isBegun ? { stepUs: begun?.stepUs ?? null } : null };
  };
  return (question) => {
    if ('read' in question) {
      const { read: depth } = question;
      if (depth === 'curve' || besides === null) return { reading: read(depth) };
      besides.blockUntilAsleep();
      const reading = read(depth);
      return { reading: { ...reading, others: besides.read(depth === 'edge') } };
    }
    if ('tied' in question) return { tied: [...tiesTo(pidsOfTarget(), question.tied).keys()] };
    if ('group' in question) return { programs: programsOf(question.group, watched) };
    if ('programs' in question) {
      const { programs } = question;
      return watching(
        programs.length === 0 ? null : new Besides(watchPrograms(pidsOf(programs), 'beside'), programs),
        true,
      );
    }
    const { every } = question;
    const isOther =
      every !== null && readProcessStat(every.pids[0] ?? 0)?.startTicks !== every.firstStartTicks;
    // The dashboard is on this machine, in another PID namespace.
    if (isOther) return watching(null);
    const clocks = watchEveryProcess([...pidsOfTarget(), ...(every?.pids ?? [])]);
    return watching(clocks === null ? null : new Besides(clocks, []));
  };
}

function pidsOf(programs: readonly Pick<Program, 'pids'>[]): number[][] {
  return programs.map(({ pids }) => pids);
}

/** Target, and the programs of some processes. */
function programsOf(workers: readonly number[], watched: WatchedProcesses): Program[] {
  const processes = watched.list();
  const all = new Set(processes.map(({ pid }) => pid));
  const roots = processes.filter(({ stat }) => !all.has(stat.parentPid)).map(({ pid }) => pid);
  return groupPrograms(workers, [roots])
    .slice(0, 1 + mostPrograms)
    .map((program) => ({ ...program, name: program.name.slice(0, longestProgramName) }));
}

/** Processes that one dashboard watches besides the target. */
class Besides {
  readonly #clocks: ClocksHere;
  readonly #programs: readonly Pick<Program, 'pids' | 'startTicks'>[];
  readonly #toldUs: Map<number, number>;

  /** @param programs whose clocks are read; empty for all processes */
  constructor(clocks: ClocksHere, programs: readonly Pick<Program, 'pids' | 'startTicks'>[]) {
    this.#clocks = clocks;
    this.#programs = programs;
    this.#toldUs = new Map(clocks.readUs());
  }

  get stepUs(): number | null {
    return this.#clocks.stepUs;
  }

  blockUntilAsleep(): void {
    this.#clocks.blockUntilAsleep();
  }

  /** @param isEdge includes facts that take longer to read */
  read(isEdge: boolean): AgentReading['others'] {
    const gainedUs = [...this.#clocks.readUs()]
      .map(([key, us]): [number, number] => [key, Math.round(us - (this.#toldUs.get(key) ?? 0))])
      .filter(([, us]) => us > 0)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, mostPrograms);
    for (const [key, us] of gainedUs) this.#toldUs.set(key, (this.#toldUs.get(key) ?? 0) + us);
    const kernelUs = Math.round(this.#clocks.readKernelUs());
    if (!isEdge || this.#programs.length === 0) return { gainedUs, kernelUs };
    const ended = placeOfEnded(this.#programs);
    const children = this.#clocks.readChildren().map((each) => each ?? null);
    return { gainedUs, kernelUs, children, ...(ended < 0 ? {} : { ended }) };
  }
}

/** The local sampler, as deep as it is asked to read. */
function readerOf(watched: WatchedProcesses): (depth: Depth) => AgentReading {
  const sampler = sampleProcesses(watched);
  sampler.watch(watchMs);
  const now = () => performance.now() * 1000;
  const readCurve = (): AgentReading => ({
    atUs: now(),
    cpuUs: sampler.readCpuUs(),
    rssBytes: sampler.readMemory(),
    host: null,
    whole: null,
  });
  const readTurn = (): AgentReading => {
    sampler.blockUntilAsleep();
    return { atUs: now(), cpuUs: sampler.readCpuUs(), rssBytes: null, host: null, whole: null };
  };
  const readEdge = (): AgentReading => {
    sampler.blockUntilAsleep();
    // Busy threads aren't needed, because the permit limits the throughput of a remote target.
    const { atUs, cpuUs, rssBytes, threadsUs: _, ...whole } = sampler.read();
    return { atUs, cpuUs, rssBytes, host: readMachine(), whole };
  };
  const readers: Record<Depth, () => AgentReading> = {
    turn: readTurn,
    window: () => ({ ...readTurn(), host: readMachine() }),
    edge: readEdge,
    curve: readCurve,
  };
  return (depth) => readers[depth]();
}

function readMachine(): AgentReading['host'] {
  const host = readHost();
  if (host === null) return null;
  const { user, system } = process.cpuUsage();
  return { ...host, cores: availableParallelism(), agentUs: user + system, machine: machineId() ?? '' };
}
