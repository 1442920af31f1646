import { mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { sidesOfPair } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { CellResult, LevelGroup, ServersCell } from '../../../shared/kinds/servers/servers-result.ts';
import { printLevel, varying } from '../../format/factor-words.ts';
import { percentOf, printInterval } from '../../format/printed-figures.ts';
import { type Side, sidesOf } from '../../format/sides.ts';

const { baseline: http, comparison: https } = sidesOf(sidesOfPair(['http', 'https']));
/** How the two sides of a sweep are drawn. */
export const sideLooks = { http, https };

/** Measures of a level that can be shown. */
export const measureNames = ['cpu', 'overhead', 'throughput'] as const;
export type LevelMeasure = (typeof measureNames)[number];

type Series = Side & { bars: (Estimate | null)[] };

export type Measure = {
  label: string;
  title: string;
  /** Unit of the axis. */
  unit: string;
  print(value: number): string;
  printBar(bar: Estimate | null): string;
  series(groups: readonly LevelGroup[]): Series[];
};

export const levelMeasures: Record<LevelMeasure, Measure> = {
  throughput: {
    ...{ label: 'Requests/s', title: 'Requests per second', unit: 'requests/s' },
    ...printedWith(0),
    series: (groups) => bothSides(groups, 'throughput'),
  },
  cpu: {
    ...{
      label: 'CPU per request',
      title: 'Server CPU per request at full load, µs',
      unit: 'µs of server CPU',
    },
    ...printedWith(1),
    series: (groups) => bothSides(groups, 'cpu'),
  },
  overhead: {
    ...{ label: 'Added CPU', title: 'Server CPU that HTTPS adds at full load, % of HTTP', unit: '% of HTTP' },
    ...printedWith(1),
    series: (groups) => [
      { ...sideLooks.https, bars: groups.map(({ cpu }) => cpu && mapEstimate(cpu.ratio, percentOf)) },
    ],
  },
};

function bothSides(groups: readonly LevelGroup[], metric: 'throughput' | 'cpu'): Series[] {
  return (['http', 'https'] as const).map((side) => ({
    ...sideLooks[side],
    bars: groups.map((group) => group[metric]?.[side] ?? null),
  }));
}

function printedWith(decimals: number): Pick<Measure, 'print' | 'printBar'> {
  return {
    print: (value) => printNumber(value, 0),
    printBar: (bar) => printInterval(bar, decimals),
  };
}

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
