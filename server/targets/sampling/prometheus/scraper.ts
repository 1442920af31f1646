import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type ProblemError, problem, problemAt } from '../../../../shared/base/problem.ts';
import { type ExporterAt, exporterTokenName } from '../../../../shared/target/prometheus-source.ts';
import { bracketed } from '../../../base/addresses/origin.ts';
import { isAddress } from '../../../base/addresses/target-policy.ts';
import { answerOf } from '../../../base/wire/answer-of.ts';
import { sumSamples } from './sum-samples.ts';

const answerMs = 5000;
/** cAdvisor writes several MB on a busy host. */
const mostBytes = 20_000_000;

type Scrape = { cpuUs: number; rssBytes: number; roundTripUs: number };

/** Asks one exporter again and again, on one connection to the pinned address, and no more often than it may. */
export class Scraper {
  readonly #at: ExporterAt;
  readonly #token: string | null;
  readonly #signal: AbortSignal | undefined;
  readonly #agent: Agent;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  /** @param token that it is asked with; null for none */
  constructor(at: ExporterAt, token: string | null, signal?: AbortSignal) {
    this.#at = at;
    this.#token = token;
    this.#signal = signal;
    const kept = { keepAlive: true, maxSockets: 1 };
    this.#agent = at.secure ? new SecureAgent(kept) : new Agent(kept);
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
    this.#agent.destroy();
  }

  #valueOf(text: string, which: 'cpu' | 'memory'): number {
    const { selector, text: asked } = this.#at[which];
    const read = sumSamples(text, selector);
    if (read === null || read.sum < 0) throw this.#unusable(`has no readable value for ${asked}`);
    if (read.count === 0) throw this.#unusable(`has no ${asked}`);
    return read.sum;
  }

  async #fetch(): Promise<string> {
    const patience = AbortSignal.timeout(answerMs);
    const signal = this.#signal === undefined ? patience : AbortSignal.any([this.#signal, patience]);
    try {
      const response = await this.#ask(signal);
      this.#demandAnswer(response);
      return await this.#bodyOf(response);
    } catch (error) {
      this.#signal?.throwIfAborted();
      if (patience.aborted) throw this.#unreachable(`did not answer within ${answerMs / 1000} s`);
      throw this.#explain(error);
    }
  }

  #ask(signal: AbortSignal): Promise<IncomingMessage> {
    const { address, port, hostname, path, secure, ca } = this.#at;
    const options: RequestOptions = {
      ...{ agent: this.#agent, host: address, port, path, signal },
      headers: {
        host: `${bracketed(hostname)}:${port}`,
        accept: 'text/plain;version=0.0.4',
        'accept-encoding': 'identity',
        ...(this.#token === null ? {} : { authorization: `Bearer ${this.#token}` }),
      },
    };
    const servername = isIP(hostname) === 0 ? hostname : '';
    const asking = secure
      ? secureRequest({ ...options, servername, ...(ca === null ? {} : { ca }) })
      : request(options);
    asking.once('socket', (socket) => {
      if (!socket.connecting) return;
      // Nothing is said to another address than the one that was judged.
      socket.prependOnceListener('connect', () => {
        if (!isAddress(socket.remoteAddress, address)) socket.destroy(new Error('it leads somewhere else'));
      });
    });
    return answerOf(asking.end());
  }

  #demandAnswer({ statusCode = 0 }: IncomingMessage): void {
    if (statusCode === 200) return;
    const redirected = statusCode >= 300 && statusCode < 400;
    if (statusCode === 401 || statusCode === 403) {
      const what = this.#token === null ? 'wants a bearer token' : 'refuses the token';
      const detail = `The exporter at ${this.#at.name} ${what} (${statusCode}).`;
      throw problemAt('exporter_unusable', `secrets.${exporterTokenName}`, detail);
    }
    throw this.#unusable(
      redirected ? `redirects (${statusCode}), which is not followed` : `answers ${statusCode}`,
    );
  }

  async #bodyOf(response: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw this.#unusable(`sends more than ${mostBytes / 1e6} MB`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  #explain(error: unknown): unknown {
    if (!(error instanceof Error) || 'problem' in error) return error;
    const code = 'code' in error ? String(error.code) : '';
    if (code === 'ECONNREFUSED') return this.#unreachable('is not listening');
    return this.#unreachable(`cannot be read: ${error.message}`);
  }

  #unreachable(what: string): ProblemError {
    return problem('exporter_unreachable', `The exporter at ${this.#at.name} ${what}.`);
  }

  #unusable(what: string): ProblemError {
    return problem('exporter_unusable', `The exporter at ${this.#at.name} ${what}.`);
  }
}
