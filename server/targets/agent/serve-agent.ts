import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { TLSSocket } from 'node:tls';
import { ProblemError } from '../../../shared/base/problem.ts';
import { servePinned, TokenBucket } from '../../base/pinned/pinned.ts';
import type { WatchedProcesses } from '../sampling/cgroup.ts';
import { machineId } from '../sampling/environment.ts';
import { readHost, sampleProcesses } from '../sampling/process-sampler.ts';
import { watchMs } from '../sampling/readings.ts';
import {
  type AgentAnswer,
  type AgentProblem,
  type AgentReading,
  agentProtocol,
  agentQuestionSchema,
  type Depth,
  type Greeting,
  longestEnding,
  parseLine,
  readLines,
  seal,
  sealKey,
  unseal,
} from './protocol.ts';

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
};

type RunningAgent = { port: number; close(): Promise<void> };

/** Answers readings, and nothing else, to whoever has the token. Throws address_in_use, invalid_environment. */
export async function serveAgent({ token, watch, ...at }: AgentOptions): Promise<RunningAgent> {
  return servePinned({
    ...at,
    handshakeMs: introductionMs,
    mostFriends: mostDashboards,
    converse: (socket, introduce) => converse(socket, token, { watch, introduce }),
  });
}

type Host = {
  watch(): WatchedProcesses;
  /** Told of each question. Returns whether there is a place for whoever has the token. */
  introduce(): boolean;
};

/** Greets, and answers until the other end is gone or says what is not a question. */
function converse(socket: TLSSocket, token: string, { watch, introduce }: Host): void {
  const nonce = randomBytes(16).toString('hex');
  const key = sealKey(token, { nonce }, socket);
  const questions = new TokenBucket(mostQuestionsPerS, performance.now());
  let read: ((depth: Depth) => AgentReading) | null = null;
  const answer = (depth: Depth): { reading: AgentReading } | { ended: string } => {
    try {
      read ??= readerOf(watch());
      return { reading: read(depth) };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      // What was started again has to be looked for again.
      read = null;
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
  };
  socket.write(`${JSON.stringify(greeting)}\n`);
  readLines(socket, (line) => {
    const text = unseal(key, 'dashboard', line);
    if (text === null) return refuse('token');
    const question = parseLine(agentQuestionSchema, text);
    if (question === undefined) return refuse('not_a_question');
    if (!introduce()) return destroy();
    if (!questions.take(performance.now())) return refuse('too_fast');
    clearTimeout(introduction);
    socket.setTimeout(idleMs);
    const said: AgentAnswer = { nonce: question.nonce, ...answer(question.read) };
    socket.write(`${seal(key, 'agent', JSON.stringify(said))}\n`);
  });
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
