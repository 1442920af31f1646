import { printNumber } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import type { LevelGroup } from '../../../shared/kinds/servers/servers-result.ts';
import { sideLooks } from './side-looks.ts';

/** What can be shown of levels. */
export const measureNames = ['cpu', 'overhead', 'throughput'] as const;
export type LevelMeasure = (typeof measureNames)[number];

type Series = (typeof sideLooks)[keyof typeof sideLooks] & { bars: (Estimate | null)[] };

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
      { ...sideLooks.https, bars: groups.map(({ cpu }) => (cpu === null ? null : percentOf(cpu.ratio))) },
    ],
  },
};

function bothSides(groups: readonly LevelGroup[], metric: 'throughput' | 'cpu'): Series[] {
  return (['http', 'https'] as const).map((side) => ({
    ...sideLooks[side],
    bars: groups.map((group) => group[metric]?.[side] ?? null),
  }));
}

function percentOf({ center, lo, hi }: Estimate): Estimate {
  return { center: 100 * (center - 1), lo: 100 * (lo - 1), hi: 100 * (hi - 1) };
}

function printedWith(decimals: number): Pick<Measure, 'print' | 'printBar'> {
  const exact = (value: number) => printNumber(value, decimals);
  return {
    print: (value) => printNumber(value, 0),
    printBar: (bar) => (bar === null ? '–' : `${exact(bar.center)} (${exact(bar.lo)} to ${exact(bar.hi)})`),
  };
}
