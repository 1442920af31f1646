import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { type ProblemError, problem, problemAt } from '../../../../shared/base/problem.ts';
import { type ExporterAt, exporterTokenName } from '../../../../shared/target/prometheus-source.ts';
import { bracketed } from '../../../base/addresses/origin.ts';
import { dial, type Hold, Line, NoAnswer, withDeadline } from '../../../base/wire/ask.ts';
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
      return await withDeadline(answerMs, this.#signal, (hold) => this.#ask(hold));
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
