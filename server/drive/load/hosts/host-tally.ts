import type { HostShare } from '../../../../shared/measurement/generator-host.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import { quantile } from '../../../method/statistics/quantile.ts';
import type { BurstPart } from '../messages.ts';

type Totals = { requests: number; cpuUs: number };

/** Of the time of bursts: a process that runs, or waits for a core, for more of it is the limit. */
const busy = 0.8;
/** Bursts begin this late, in the median, when a host gives its processes too little CPU: a tenth of a usual burst. */
const lateUs = 5000;

/** What one host did in a run, before and after losses. */
export class HostTally {
  readonly #lateUs: number[] = [];
  readonly #bursts = new Map<number, { cpuUs: number; heldUpUs: number; elapsedUs: number }>();
  #before: Totals = { requests: 0, cpuUs: 0 };
  #now = new Map<number, Totals>();

  noteBurst(process: number, { cpuUs, elapsedUs, lateUs, heldUpUs = 0 }: BurstPart): void {
    if (lateUs !== undefined) this.#lateUs.push(lateUs);
    const sums = this.#bursts.get(process) ?? { cpuUs: 0, heldUpUs: 0, elapsedUs: 0 };
    this.#bursts.set(process, {
      cpuUs: sums.cpuUs + cpuUs,
      heldUpUs: sums.heldUpUs + heldUpUs,
      elapsedUs: sums.elapsedUs + elapsedUs,
    });
  }

  noteTotals(process: number, totals: Totals): void {
    this.#now.set(process, totals);
  }

  /** Its processes have started again and count from zero. */
  begin(): void {
    this.#before = this.#all;
    this.#now = new Map();
  }

  describe(): Pick<HostShare, 'requests' | 'cpuUs' | 'busiestShare' | 'lateness' | 'limited'> {
    const medianUs = this.#lateUs.length === 0 ? 0 : quantile(this.#lateUs, 0.5);
    const bursts = [...this.#bursts.values()];
    const busiestShare = Math.max(0, ...bursts.map(({ cpuUs, elapsedUs }) => cpuUs / Math.max(1, elapsedUs)));
    const isBusy = bursts.some(({ cpuUs, heldUpUs, elapsedUs }) => cpuUs + heldUpUs > busy * elapsedUs);
    return {
      ...this.#all,
      busiestShare,
      limited: isBusy || medianUs > lateUs,
      lateness: {
        medianUs: Math.round(medianUs),
        longestUs: Math.round(this.#lateUs.reduce((longest, each) => Math.max(longest, each), 0)),
      },
    };
  }

  get #all(): Totals {
    const now = [...this.#now.values()];
    return {
      requests: this.#before.requests + sumOf(now.map(({ requests }) => requests)),
      cpuUs: this.#before.cpuUs + sumOf(now.map(({ cpuUs }) => cpuUs)),
    };
  }
}
