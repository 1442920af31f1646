import { printNumber, type Scale } from '../../../../shared/base/quantity.ts';
import { bySide, labelsOf, sideNames } from '../../../../shared/base/transport.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import type { XyChartProps } from '../../../charts/xy-chart.tsx';
import { XyFigure } from '../../../components/xy-figure.tsx';
import type { Sides } from '../../../format/side.ts';
import { distributionInWords, marksOfDistribution } from './distribution-in-words.ts';
import { DistributionTable } from './distribution-table.tsx';
import { type DistributionView, distributionView, type Point } from './distribution-view.ts';
import { EmptyFigure } from './empty-figure.tsx';

type Props = { document: ShownRun; sides: Sides; chart: 'percentiles' | 'ecdf'; log: boolean };

/** The latency of both sides: by percentile, or the share of transactions that were done within a time. */
export function DistributionFigure({ document, sides, chart, log }: Props) {
  const view = distributionView(document);
  if (view === null) return <EmptyFigure>No latency was pooled in this run.</EmptyFigure>;
  const words = distributionInWords(view, labelsOf(document.sides), document);
  const { shows, marks, ...drawing } = drawings[chart](view, sides, log);
  return (
    <XyFigure
      height={360}
      caption={`${words}.`}
      marks={marks}
      table={<DistributionTable view={view} sides={sides} />}
      label={`${shows}. ${words}.`}
      {...drawing}
    />
  );
}

type Drawing = Pick<XyChartProps, 'series' | 'x' | 'y'> & { shows: string; marks: string };

const drawings: Record<Props['chart'], (view: DistributionView, sides: Sides, log: boolean) => Drawing> = {
  ecdf: (view, sides, log) => ({
    shows: 'Share of transactions done within a latency',
    marks: 'The lines show the share of transactions done within a latency, without intervals.',
    series: sideNames.map((side) => ({
      ...{ ...sides[side], markerSize: 0 },
      points: view[side].map(({ percentile, us }) => ({ x: us, y: percentile })),
    })),
    x: { ...latencyAxis(view.scale), log },
    y: { title: 'Transactions done', print: (share) => `${share} %`, min: 0, max: 100 },
  }),
  /** From the median on. The tail is stretched: every nine takes the same room. */
  percentiles: (view, sides, log) => {
    const upper = bySide((side) => view[side].filter(({ percentile }) => percentile >= lowest));
    const reach = sideNames.flatMap((side) => upper[side].flatMap(({ us, interval }) => interval ?? [us]));
    return {
      shows: 'Latency by percentile',
      marks: marksOfDistribution(view),
      series: sideNames.map((side) => ({
        ...sides[side],
        points: upper[side].map(({ percentile, us }) => ({ x: nines(percentile), y: us })),
        spreads: upper[side].flatMap(barOf),
      })),
      x: {
        title: 'Percentile',
        print: (value) => String(percentileOf(value)),
        ticks: [50, 75, 90, 95, 99, 99.9].map(nines),
        min: nines(lowest) - margin,
        max: nines(view.highest) + margin,
      },
      y: {
        ...latencyAxis(view.scale),
        ...{ log, fromZero: true, reach: Math.max(...reach) },
        ...(log ? { min: Math.min(...reach) * 0.9 } : {}),
      },
    };
  },
};

function latencyAxis({ symbol, divisor }: Scale) {
  return {
    title: `Latency, ${symbol}`,
    print: (us: number) => printNumber(us / divisor, us >= 10 * divisor ? 0 : 1),
  };
}

const lowest = 50;
/** Room in nines for markers and bars at both ends. */
const margin = 0.04;

function barOf({ percentile, interval }: Point) {
  return interval === null ? [] : [{ x: nines(percentile), wide: interval, thin: interval }];
}

/** How many nines: 90 is 1, 99 is 2, 99.9 is 3. */
function nines(percentile: number): number {
  return -Math.log10(1 - Math.min(percentile, 99.999) / 100);
}

function percentileOf(nineCount: number): number {
  return Number((100 * (1 - 10 ** -nineCount)).toPrecision(4));
}
