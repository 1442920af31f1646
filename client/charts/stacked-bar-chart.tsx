import type { ChartData, ChartOptions } from 'chart.js';
import { Chart } from 'react-chartjs-2';
import {
  categoryAxis,
  type EndLabel,
  endRoomPx,
  hatch,
  type Ink,
  printPoint,
  scaleOptions,
  useInk,
  type ValueAxis,
} from './axis.ts';
import './register.ts';

export type StackSeries = EndLabel & {
  /** One a category, each with one length a part; null leaves a gap. */
  bars: readonly (readonly number[] | null)[];
  /** Text at the end of each bar, instead of the name of the series. */
  ends?: readonly string[];
};

export type StackedBarChartProps = {
  label: string;
  categories: readonly string[];
  parts: readonly { label: string; fill: PartFill }[];
  series: readonly StackSeries[];
  value: ValueAxis;
};

/** Lying bars from zero, made of parts; the series stand below each other in every category. */
export default function StackedBarChart({ label, categories, parts, series, value }: StackedBarChartProps) {
  const ink = useInk();
  const data: ChartData<'bar', number[]> = {
    labels: [...categories],
    datasets: series.flatMap((one) => datasetsOf(one, parts, ink)),
  };
  const options: ChartOptions<'bar'> = {
    responsive: true,
    maintainAspectRatio: false,
    animation: false,
    indexAxis: 'y',
    color: ink.text,
    layout: { padding: { right: endRoomPx } },
    scales: {
      x: { ...scaleOptions({ ...value, fromZero: true }, ink), stacked: true },
      y: { ...categoryAxis(ink, { narrowPx: 10 }), stacked: true },
    },
    plugins: {
      tooltip: {
        callbacks: { label: (item) => `${item.dataset.label}: ${printPoint(value, Number(item.raw))}` },
      },
    },
  };
  return (
    <Chart key={ink.surface} type="bar" data={data} options={options} aria-label={label} updateMode="none" />
  );
}

function datasetsOf(
  { label, color, marker, bars, ends }: StackSeries,
  parts: StackedBarChartProps['parts'],
  ink: Ink,
) {
  return parts.map((part, index) => ({
    label: `${label}, ${part.label}`,
    data: bars.map((bar) => bar?.[index] ?? Number.NaN),
    stack: label,
    backgroundColor: partFill(part.fill, color, ink.surface),
    borderColor: color,
    borderWidth: 1.5,
    borderSkipped: false as const,
    maxBarThickness: 26,
    categoryPercentage: 0.76,
    barPercentage: 0.86,
    ...(index === parts.length - 1 ? { endLabel: { label, color, marker, ends } } : {}),
  }));
}

/** How the parts of a stacked bar differ in one color. */
type PartFill = 'hatched' | 'solid' | 'half' | 'pale';

function partFill(fill: PartFill, color: string, ground: string): CanvasPattern | string {
  return fill === 'hatched' ? hatch(color, ground) : `${color}${alphas[fill]}`;
}

const alphas = { solid: 'ff', half: '80', pale: '26' };
