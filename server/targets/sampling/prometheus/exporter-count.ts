import { isLoopback } from '../../../../shared/base/loopback.ts';
import { problem } from '../../../../shared/base/problem.ts';
import type { ExporterAt } from '../../../../shared/target/prometheus-source.ts';
import { quantile } from '../../../method/statistics/quantile.ts';
import { CounterSteps } from './counter-steps.ts';
import { Scraper } from './scraper.ts';

/** With no load at the beginning: what a reading costs the target, whose own process may be the exporter. */
const idleReadings = 10;

/** The count of an exporter, without what reading it costs. */
export class ExporterCount {
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
