import type { Estimate } from '../../../shared/base/estimate.ts';
import { mapEstimate } from '../../../shared/base/map-estimate.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { sidesOfPair } from '../../../shared/base/transport.ts';
import type { LevelGroup } from '../../../shared/kinds/servers/servers-result.ts';
import { percentOf, printInterval } from '../../format/factor-words.ts';
import { type Side, sidesOf } from '../../format/option-form.ts';

const { baseline: http, comparison: https } = sidesOf(sidesOfPair(['http', 'https']));
/** How the two sides of a sweep are drawn. */
export const sideLooks = { http, https };

/** What can be shown of levels. */
export const measureNames = ['cpu', 'overhead', 'throughput'] as const;
export type LevelMeasure = (typeof measureNames)[number];

type Series = Side & { bars: (Estimate | null)[] };

export type Measure = {
  label: string;
  title: string;
  /** Of the axis. */
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
    ...{ label: 'CPU per request', title: 'Server CPU per request at load, µs', unit: 'µs of server CPU' },
    ...printedWith(1),
    series: (groups) => bothSides(groups, 'cpu'),
  },
  overhead: {
    ...{ label: 'CPU overhead', title: 'Server CPU at load that HTTPS adds, % of HTTP', unit: '% of HTTP' },
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
