import type { Estimate } from '../../../shared/base/estimate.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { CellResult, ServersCell } from '../../../shared/kinds/servers/servers-result.ts';
import { printLevel, varying } from '../../format/factor-words.ts';

/** Cells in tables; a dash for what was not measured. */

/** By what differs between them. */
export function namesOf(cells: readonly ServersCell[]): (cell: ServersCell) => string {
  const factors = varying(cells);
  return ({ id, settings }) => factors.map((factor) => printLevel(factor, settings[factor])).join(', ') || id;
}

export function printCenter(estimate: Estimate | undefined, decimals: number): string {
  return estimate === undefined ? '–' : printNumber(estimate.center, decimals);
}

/** Requests per second; at least, where the load generator set the pace. */
export function printRate({ throughput, generatorLimited }: CellResult, side: 'http' | 'https'): string {
  const rate = printCenter(throughput?.[side], 0);
  return generatorLimited && throughput !== null ? `≥ ${rate}` : rate;
}

export function printShare(share: number | null): string {
  return share === null ? '–' : `${printNumber(100 * share, share === 0 ? 0 : 2)} %`;
}
