import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { checkServerIdentity, type PeerCertificate, type TLSSocket } from 'node:tls';
import { type ProblemError, problem, problemAt } from '../../../shared/base/problem.ts';
import { isSelected, type MetricSelector, readLabels } from '../../../shared/target/metric-selector.ts';
import { type AgentAt, type ExporterAt, exporterTokenName } from '../../../shared/target/readings.ts';
import { bracketed } from '../../base/addresses/origin.ts';
import { connectPinned } from '../../base/pinned/pinned.ts';
import { dial, type Hold, Line, NoAnswer, withDeadline } from '../../base/wire/ask.ts';
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
} from './protocol.ts';

export type AgentConnection = {
  /** Questions that it answers a second. */
  mostPerS: number;
  /** Whether it reads other programs too. */
  companions: boolean;
  /**
   * Questions that come at once wait for each other. Throws agent_unreachable, agent_untrusted, or target_died in the agent's words.
   */
  read(depth: Depth): Promise<TimedReading>;
  /** Another question, and the part of its answer with that name. */
  ask<Key extends PartName>(question: AgentQuestion, part: Key): Promise<Part<Key>>;
  close(): void;
};

/** @property roundTripUs from the question to its answer, on our clock */
export type TimedReading = AgentReading & { roundTripUs: number };

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

const longestLine = 65_536;

/**
 * The sum of the selected samples of an exposition, in Prometheus' text format 0.0.4, and how many they are. Other metrics are
 * not looked at. Null where a line of this one cannot be read.
 */
export function sumSamples(text: string, selector: MetricSelector): { sum: number; count: number } | null {
  let [sum, count] = [0, 0];
  for (let from = 0; from < text.length; ) {
    const feed = text.indexOf('\n', from);
    const end = feed === -1 ? text.length : feed;
    if (isOf(text, from, selector.name)) {
      const line = text.slice(from, Math.min(end, from + longestLine + 1));
      const sample = line.length > longestLine ? null : readSample(line, selector);
      if (sample === null) return null;
      if (sample.selected) {
        sum += sample.value;
        count++;
      }
    }
    from = end + 1;
  }
  return { sum, count };
}

/** The name goes no further. */
function isOf(text: string, at: number, name: string): boolean {
  return text.startsWith(name, at) && /[ \t{]/.test(text[at + name.length] ?? '');
}

function readSample(line: string, selector: MetricSelector): { value: number; selected: boolean } | null {
  const read = readLabels(line, selector.name.length);
  if (read === null) return null;
  // A timestamp may follow.
  const [, figure] = /^[ \t]*([-+.\dEe]+)(?:[ \t]+-?\d+)?[ \t\r]*$/.exec(line.slice(read.end)) ?? [];
  const selected = isSelected(read.labels, selector);
  const value = Number(figure);
  if (figure === undefined || !Number.isFinite(value)) return selected ? null : { value: 0, selected };
  return { value, selected };
}

const scraperAnswerMs = 5000;
/** cAdvisor writes several MB on a busy host. */
const mostBytes = 20_000_000;

type Scrape = { cpuUs: number; rssBytes: number; roundTripUs: number };

/** Asks one exporter again and again, on one connection to the pinned address, and no more often than it may. */
export class Scraper {
  readonly #at: ExporterAt;
  readonly #token: string | null;
  readonly #signal: AbortSignal | undefined;
  #line: Line | null = null;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  /** @param token that it is asked with; null for none */
  constructor(at: ExporterAt, token: string | null, signal?: AbortSignal) {
    this.#at = at;
    this.#token = token;
    this.#signal = signal;
  }

  /** Throws exporter_unreachable, exporter_unusable, or the signal's reason. */
  async read(): Promise<Scrape> {
    const waitMs = this.#askedAtMs + 1000 / this.#at.mostPerS - performance.now();
    if (waitMs > 0) await pause(Math.ceil(waitMs), undefined, { signal: this.#signal });
    this.#askedAtMs = performance.now();
    const text = await this.#fetch();
    const roundTripUs = (performance.now() - this.#askedAtMs) * 1000;
    return {
      cpuUs: this.#valueOf(text, 'cpu') * 1e6,
      rssBytes: Math.round(this.#valueOf(text, 'memory')),
      roundTripUs,
    };
  }

  close(): void {
    this.#line?.destroy();
  }

  #valueOf(text: string, which: 'cpu' | 'memory'): number {
    const { selector, text: asked } = this.#at[which];
    const read = sumSamples(text, selector);
    if (read === null || read.sum < 0) throw this.#unusable(`has no readable value for ${asked}`);
    if (read.count === 0) throw this.#unusable(`has no ${asked}`);
    return read.sum;
  }

  async #fetch(): Promise<string> {
    try {
      return await withDeadline(scraperAnswerMs, this.#signal, (hold) => this.#ask(hold));
    } catch (error) {
      this.#signal?.throwIfAborted();
      if (!(error instanceof NoAnswer)) throw error;
      throw this.#unreachable(error.message);
    }
  }

  async #ask(hold: Hold): Promise<string> {
    const { path } = this.#at;
    const headers: [string, string][] = [
      ['accept', 'text/plain;version=0.0.4'],
      ['accept-encoding', 'identity'],
    ];
    if (this.#token !== null) headers.push(['authorization', `Bearer ${this.#token}`]);
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onBody = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) throw this.#unusable(`sends more than ${mostBytes / 1e6} MB`);
      chunks.push(chunk);
    };
    const line = this.#line?.isOpen ? this.#line : await this.#dial(hold);
    const { status } = await line.ask({ method: 'GET', path, headers, body: null }, { hold, onBody });
    this.#demandAnswer(status);
    return Buffer.concat(chunks).toString('utf8');
  }

  async #dial(hold: Hold): Promise<Line> {
    const { address, port, hostname, secure, ca } = this.#at;
    const servername = isIP(hostname) === 0 ? hostname : '';
    const tls = { servername, checkServerIdentity: namedAs(hostname), ...(ca === null ? {} : { ca }) };
    const socket = await dial({ address, port, tls: secure ? tls : null }, hold);
    const host = `${bracketed(hostname)}:${port}`;
    this.#line = new Line(socket, '1.1', { scheme: secure ? 'https' : 'http', host });
    return this.#line;
  }

  #demandAnswer(status: number): void {
    if (status === 200) return;
    const redirected = status >= 300 && status < 400;
    if (status === 401 || status === 403) {
      const what = this.#token === null ? 'wants a bearer token' : 'refuses the token';
      const detail = `The exporter at ${this.#at.name} ${what} (${status}).`;
      throw problemAt('exporter_unusable', `secrets.${exporterTokenName}`, detail);
    }
    throw this.#unusable(redirected ? `redirects (${status}), which is not followed` : `answers ${status}`);
  }

  #unreachable(what: string): ProblemError {
    return problem('exporter_unreachable', `The exporter at ${this.#at.name} ${what}.`);
  }

  #unusable(what: string): ProblemError {
    return problem('exporter_unusable', `The exporter at ${this.#at.name} ${what}.`);
  }
}

/** The certificate is for the name that the address was looked up by. */
function namedAs(hostname: string) {
  return (_: string, certificate: PeerCertificate) => checkServerIdentity(hostname, certificate);
}
