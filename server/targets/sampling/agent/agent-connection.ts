import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { type ProblemError, problem } from '../../../../shared/base/problem.ts';
import type { AgentAt } from '../../../../shared/target/remote-readings.ts';
import { connectPinned } from '../../../base/pinned/connect-pinned.ts';
import { readLines } from './lines.ts';
import {
  type AgentProblem,
  type AgentReading,
  agentAnswerSchema,
  agentProblemSchema,
  agentProtocol,
  type Depth,
  type Greeting,
  greetingSchema,
  parseLine,
  seal,
  sealKey,
  unseal,
} from './protocol.ts';

export type AgentConnection = {
  /** Questions that it answers a second. */
  mostPerS: number;
  /**
   * Questions that come at once wait for each other. Throws agent_unreachable, agent_untrusted, or target_died in the agent's words.
   */
  read(depth: Depth): Promise<TimedReading>;
  close(): void;
};

/** @property roundTripUs from the question to its answer, on our clock */
export type TimedReading = AgentReading & { roundTripUs: number };

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
    return {
      mostPerS: greeting.mostPerS ?? 1,
      read(depth) {
        const reading = last.then(() => conversation.ask(depth));
        last = reading.catch(() => {});
        return reading;
      },
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
  /** What came before it was waited for: the greeting. */
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
    await this.ask('window');
  }

  async ask(depth: Depth): Promise<TimedReading> {
    const waitMs = this.#askedAtMs + this.#leastMs - performance.now();
    if (waitMs > 0) await pause(Math.ceil(waitMs));
    const nonce = randomBytes(16).toString('hex');
    this.#askedAtMs = performance.now();
    const line = this.#line('did not answer', answerMs);
    this.#socket.write(`${seal(this.#key, 'dashboard', JSON.stringify({ nonce, read: depth }))}\n`);
    const answered = await line;
    const roundTripUs = (performance.now() - this.#askedAtMs) * 1000;
    const refused = parseLine(agentProblemSchema, answered)?.refused;
    if (refused !== undefined) throw this.#problemOf(refused);
    const answer = parseLine(agentAnswerSchema, unseal(this.#key, 'agent', answered));
    if (answer === undefined) throw this.#untrusted('sent an answer that was not made with the token');
    if (answer.nonce !== nonce) throw this.#untrusted('sent the answer to another question');
    if ('ended' in answer) throw problem('target_died', `The agent at ${this.#at.name}: ${answer.ended}`);
    return { ...answer.reading, roundTripUs };
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
