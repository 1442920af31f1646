import { lazy } from 'react';
import { printNumber } from '../../../../shared/quantity.ts';
import type { RunDocument } from '../../../../shared/run.ts';
import { sideNames } from '../../../../shared/transport.ts';
import { Figure } from '../../../components/figure.tsx';
import { Legend } from '../../../components/legend.tsx';
import type { Sides } from '../../../format/side.ts';
import { DistributionTable } from './distribution-table.tsx';
import { distributionInWords, distributionView } from './distribution-view.ts';
import { EmptyFigure } from './empty-figure.tsx';

const XyChart = lazy(() => import('../../../charts/xy-chart.tsx'));

type Props = { document: RunDocument; sides: Sides; log: boolean };

/** Latency by percentile. The tail is stretched: every nine takes the same room. */
export function PercentilesFigure({ document, sides, log }: Props) {
  const view = distributionView(document);
  if (view === null) return <EmptyFigure>No latency was pooled in this run.</EmptyFigure>;
  const words = distributionInWords(view, {
    baseline: sides.baseline.label,
    comparison: sides.comparison.label,
  });
  return (
    <Figure
      height={360}
      caption={`${words}.`}
      marks="The lines are all transactions of a side, without intervals."
      legend={<Legend items={[sides.baseline, sides.comparison]} />}
      table={<DistributionTable view={view} sides={sides} />}
    >
      <XyChart
        label={`Latency by percentile. ${words}.`}
        series={sideNames.map((side) => ({
          ...sides[side],
          line: true,
          markerSize: 0,
          points: view[side].map(({ percentile, us }) => ({ x: nines(percentile), y: us })),
        }))}
        x={{
          title: 'Percentile',
          print: (value) => String(percentileOf(value)),
          ticks: [0, 50, 75, 90, 95, 99, 99.9].map(nines),
          min: 0,
          max: nines(view.highest),
        }}
        y={{
          title: `Latency, ${view.scale.symbol}`,
          log,
          fromZero: true,
          print: (us) => printNumber(us / view.scale.divisor, us >= 10 * view.scale.divisor ? 0 : 1),
        }}
      />
    </Figure>
  );
}

/** How many nines: 90 is 1, 99 is 2, 99.9 is 3. */
function nines(percentile: number): number {
  return -Math.log10(1 - Math.min(percentile, 99.999) / 100);
}

function percentileOf(nineCount: number): number {
  return Number((100 * (1 - 10 ** -nineCount)).toPrecision(4));
}
