import type { ChartData, ChartOptions } from 'chart.js';
import type { IErrorBarXDataPoint } from 'chartjs-chart-error-bars';
import { Chart } from 'react-chartjs-2';
import { type Axis, categoryAxis, hatch, type Ink, scaleOptions, useInk } from './axis.ts';
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
  value: Axis;
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
            const range = lo === hi ? '' : ` (${value.print(lo)} to ${value.print(hi)})`;
            return `${item.dataset.label}: ${value.print(Number(point.x))}${range}`;
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

function datasetOf(series: BarSeries, ink: Ink) {
  return {
    label: series.label,
    data: series.bars.map((bar) =>
      bar === null
        ? { x: Number.NaN, xMin: Number.NaN, xMax: Number.NaN, y: 0 }
        : { x: bar.center, xMin: bar.lo, xMax: bar.hi, y: 0 },
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
    errorBarWhiskerSize: series.bars.every((bar) => bar === null || bar.lo === bar.hi) ? 0 : 10,
  };
}
