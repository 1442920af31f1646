import type { ChartData, ChartOptions } from 'chart.js';
import type { IErrorBarXDataPoint } from 'chartjs-chart-error-bars';
import { Chart } from 'react-chartjs-2';
import { type Axis, scaleOptions } from './axis.ts';
import { foldLabel } from './fold-label.ts';
import { hatch } from './hatch.ts';
import { type Ink, useInk } from './ink.ts';
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

/** A narrow drawing has no room for a long label on one line; three lines fit beside two bars. */
const isNarrow = ({ width }: { width: number }) => width < 480;
const longestLine = 26;

/** Lying bars from zero, each with the whiskers of its interval. */
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
      y: {
        type: 'category',
        grid: { display: false },
        border: { color: ink.soft },
        ticks: {
          color: ink.text,
          display: categories.length > 1,
          autoSkip: false,
          callback(value) {
            const label = this.getLabelForValue(Number(value));
            return isNarrow(this.chart) ? foldLabel(label, longestLine) : label;
          },
          font: ({ chart }) => (isNarrow(chart) ? { size: 9, lineHeight: 1.2 } : {}),
        },
      },
    },
    plugins: {
      tooltip: {
        callbacks: {
          label: (item) => {
            const point = item.raw as IErrorBarXDataPoint;
            const range = `${value.print(Number(point.xMin))} to ${value.print(Number(point.xMax))}`;
            return `${item.dataset.label}: ${value.print(Number(point.x))} (${range})`;
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
    errorBarWhiskerSize: 10,
  };
}
