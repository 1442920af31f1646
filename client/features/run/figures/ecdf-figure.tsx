import { lazy } from 'react';
import { printNumber } from '../../../../shared/base/quantity.ts';
import { sideNames } from '../../../../shared/base/transport.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { Figure } from '../../../components/figure.tsx';
import { Legend } from '../../../components/legend.tsx';
import type { Sides } from '../../../format/side.ts';
import { distributionInWords } from './distribution-in-words.ts';
import { DistributionTable } from './distribution-table.tsx';
import { distributionView } from './distribution-view.ts';
import { EmptyFigure } from './empty-figure.tsx';

const XyChart = lazy(() => import('../../../charts/xy-chart.tsx'));

type Props = { document: ShownRun; sides: Sides; log: boolean };

/** The share of transactions that were done within a time. */
export function EcdfFigure({ document, sides, log }: Props) {
  const view = distributionView(document);
  if (view === null) return <EmptyFigure>No latency was pooled in this run.</EmptyFigure>;
  const labels = { baseline: sides.baseline.label, comparison: sides.comparison.label };
  const words = distributionInWords(view, labels, document);
  return (
    <Figure
      height={360}
      caption={`${words}.`}
      marks="The lines show the share of transactions done within a latency, without intervals."
      legend={<Legend items={[sides.baseline, sides.comparison]} />}
      table={<DistributionTable view={view} sides={sides} />}
    >
      <XyChart
        label={`Share of transactions done within a latency. ${words}.`}
        series={sideNames.map((side) => ({
          ...sides[side],
          line: true,
          markerSize: 0,
          points: view[side].map(({ percentile, us }) => ({ x: us, y: percentile })),
        }))}
        x={{
          title: `Latency, ${view.scale.symbol}`,
          log,
          print: (us) => printNumber(us / view.scale.divisor, us >= 10 * view.scale.divisor ? 0 : 1),
        }}
        y={{ title: 'Transactions done', print: (share) => `${share} %`, min: 0, max: 100 }}
      />
    </Figure>
  );
}
