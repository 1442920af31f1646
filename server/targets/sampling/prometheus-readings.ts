import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { isLoopback } from '../../../shared/base/addresses.ts';
import { byArm } from '../../../shared/base/arms.ts';
import { type ProblemError, problem, problemAt } from '../../../shared/base/problem.ts';
import { isSelected, type MetricSelector, readLabels } from '../../../shared/target/metric-selector.ts';
import { type ExporterAt, exporterTokenName } from '../../../shared/target/readings.ts';
import { bracketed } from '../../base/addresses/origin.ts';
import { dial, type Hold, Line, NoAnswer, withDeadline } from '../../base/wire/ask.ts';
import { median, quantile } from '../../method/statistics/intervals.ts';
import { type Readings, takenElsewhere } from './readings.ts';

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
      // An exporter of one process reports nothing about the rest of its host.
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
  /** CPU of one reading. */
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

  /** Round trip of a reading, µs. */
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
    if (isSampleOf(text, from, selector.name)) {
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
function isSampleOf(text: string, at: number, name: string): boolean {
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

/** The certificate must be for the name that was looked up. */
function namedAs(hostname: string) {
  return (_: string, certificate: PeerCertificate) => checkServerIdentity(hostname, certificate);
}
