import { lazy } from 'react';
import { printNumber } from '../../../../shared/base/quantity.ts';
import { bySide, sideNames } from '../../../../shared/base/transport.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import type { Spread } from '../../../charts/spread-bars.ts';
import { Figure } from '../../../components/figure.tsx';
import { Legend } from '../../../components/legend.tsx';
import type { Sides } from '../../../format/side.ts';
import { distributionInWords, marksOfDistribution } from './distribution-in-words.ts';
import { DistributionTable } from './distribution-table.tsx';
import { distributionView, type Point } from './distribution-view.ts';
import { EmptyFigure } from './empty-figure.tsx';

const XyChart = lazy(() => import('../../../charts/xy-chart.tsx'));

type Props = { document: ShownRun; sides: Sides; log: boolean };

/** Latency from the median on. The tail is stretched: every nine takes the same room. */
export function PercentilesFigure({ document, sides, log }: Props) {
  const view = distributionView(document);
  if (view === null) return <EmptyFigure>No latency was pooled in this run.</EmptyFigure>;
  const labels = { baseline: sides.baseline.label, comparison: sides.comparison.label };
  const words = distributionInWords(view, labels, document);
  const upper = bySide((side) => view[side].filter(({ percentile }) => percentile >= lowest));
  const reach = sideNames.flatMap((side) => upper[side].flatMap(({ us, interval }) => interval ?? [us]));
  return (
    <Figure
      height={360}
      caption={`${words}.`}
      marks={marksOfDistribution(view)}
      legend={<Legend items={[sides.baseline, sides.comparison]} />}
      table={<DistributionTable view={view} sides={sides} />}
    >
      <XyChart
        label={`Latency by percentile. ${words}.`}
        series={sideNames.map((side) => ({
          ...sides[side],
          line: true,
          markerSize: 4,
          points: upper[side].map(({ percentile, us }) => ({ x: nines(percentile), y: us })),
          spreads: upper[side].flatMap(barOf),
        }))}
        x={{
          title: 'Percentile',
          print: (value) => String(percentileOf(value)),
          ticks: [50, 75, 90, 95, 99, 99.9].map(nines),
          min: nines(lowest) - margin,
          max: nines(view.highest) + margin,
        }}
        y={{
          title: `Latency, ${view.scale.symbol}`,
          log,
          fromZero: true,
          ...(log ? { min: Math.min(...reach) * 0.9 } : {}),
          reach: Math.max(...reach),
          print: (us) => printNumber(us / view.scale.divisor, us >= 10 * view.scale.divisor ? 0 : 1),
        }}
      />
    </Figure>
  );
}

const lowest = 50;
/** Room in nines for markers and bars at both ends. */
const margin = 0.04;

function barOf({ percentile, interval }: Point): Spread[] {
  return interval === null ? [] : [{ x: nines(percentile), wide: interval, thin: interval }];
}

/** How many nines: 90 is 1, 99 is 2, 99.9 is 3. */
function nines(percentile: number): number {
  return -Math.log10(1 - Math.min(percentile, 99.999) / 100);
}

function percentileOf(nineCount: number): number {
  return Number((100 * (1 - 10 ** -nineCount)).toPrecision(4));
}
