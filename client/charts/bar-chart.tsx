import type { ChartData, ChartOptions } from 'chart.js';
import type { IErrorBarXDataPoint } from 'chartjs-chart-error-bars';
import { Chart } from 'react-chartjs-2';
import { categoryAxis, hatch, type Ink, printPoint, scaleOptions, useInk, type ValueAxis } from './axis.ts';
import './register.ts';

export type BarSeries = {
  label: string;
  color: string;
  /** Hatched instead of filled, as dashes are for lines. */
  dashed: boolean;
  /** One a category; null leaves a gap. */
  bars: readonly ({ center: number; lo: number; hi: number } | null)[];
};

export type BarChartProps = {
  label: string;
  categories: readonly string[];
  series: readonly BarSeries[];
  value: ValueAxis;
};

/** Lying bars from zero, each with the whiskers of its interval, if that has a width. */
export default function BarChart({ label, categories, series, value }: BarChartProps) {
  const ink = useInk();
  const data: ChartData<'barWithErrorBars', IErrorBarXDataPoint[]> = {
    labels: [...categories],
    datasets: series.map((one) => datasetOf(one, ink)),
  };
  const options: ChartOptions<'barWithErrorBars'> = {
    responsive: true,
    maintainAspectRatio: false,
    animation: false,
    indexAxis: 'y',
    scales: {
      x: scaleOptions({ ...value, fromZero: true }, ink),
      y: categoryAxis(ink, { narrowPx: 9, display: categories.length > 1 }),
    },
    plugins: {
      tooltip: {
        callbacks: {
          label: (item) => {
            const point = item.raw as IErrorBarXDataPoint;
            const [lo, hi] = [Number(point.xMin), Number(point.xMax)];
            const ends = Number.isNaN(lo) ? null : ([lo, hi] as const);
            return `${item.dataset.label}: ${printPoint(value, Number(point.x), ends)}`;
          },
        },
      },
    },
  };
  return (
    <Chart
      key={ink.surface}
      type="barWithErrorBars"
      data={data}
      options={options}
      aria-label={label}
      updateMode="none"
    />
  );
}

/** A whisker without a width would be a stub at the end of the bar. */
const noWhisker = { xMin: Number.NaN, xMax: Number.NaN };

function datasetOf(series: BarSeries, ink: Ink) {
  return {
    label: series.label,
    data: series.bars.map((bar) =>
      bar === null
        ? { x: Number.NaN, ...noWhisker, y: 0 }
        : { x: bar.center, ...(bar.lo < bar.hi ? { xMin: bar.lo, xMax: bar.hi } : noWhisker), y: 0 },
    ),
    backgroundColor: series.dashed ? hatch(series.color, ink.surface) : series.color,
    borderColor: series.color,
    borderWidth: 2,
    borderRadius: 2,
    maxBarThickness: 34,
    categoryPercentage: 0.72,
    errorBarColor: ink.text,
    errorBarWhiskerColor: ink.text,
    errorBarLineWidth: 2,
    errorBarWhiskerLineWidth: 2,
    errorBarWhiskerSize: 10,
  };
}
