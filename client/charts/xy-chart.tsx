import type { ChartData, ChartOptions } from 'chart.js';
import { Chart } from 'react-chartjs-2';
import {
  type Axis,
  type Ink,
  printPoint,
  type Spread,
  scaleOptions,
  useInk,
  type ValueAxis,
} from './axis.ts';
import './register.ts';

export type XySeries = {
  label: string;
  color: string;
  dashed: boolean;
  marker: 'circle' | 'diamond';
  /** Left out, the points are joined. */
  line?: boolean;
  /** Radius in pixels, 4 if left out; 0 draws the line alone. */
  markerSize?: number;
  /** For lines with many points. */
  thin?: boolean;
  /** Drawn hollow, behind the others. */
  quiet?: boolean;
  /** A NaN in y breaks the line. */
  points: readonly { x: number; y: number }[];
  /** Bars behind the points, such as how far single values spread. */
  spreads?: readonly Spread[];
};

export type XyChartProps = {
  /** Text alternative of the drawing. */
  label: string;
  series: readonly XySeries[];
  x: Axis;
  y: ValueAxis;
  /** A range of y that is shaded, such as what noise alone reaches. */
  band?: { from: number; to: number } | null;
  /** A level of y to compare with. */
  level?: number;
  /** A range of y that changes along x, behind everything: such as an interval that narrows. */
  ribbon?: readonly { x: number; lo: number; hi: number }[];
};

export default function XyChart({ label, series, x, y, band = null, level, ribbon }: XyChartProps) {
  const ink = useInk();
  const data: ChartData<'line', { x: number; y: number }[]> = {
    datasets: [
      ...series.map((one) => datasetOf(one, ink)),
      ...(ribbon === undefined ? [] : ribbonOf(ribbon, ink)),
    ],
  };
  const options: ChartOptions<'line'> = {
    responsive: true,
    maintainAspectRatio: false,
    animation: false,
    parsing: false,
    normalized: true,
    interaction: { mode: 'nearest', intersect: false },
    scales: { x: scaleOptions(x, ink), y: scaleOptions(y, ink) },
    plugins: {
      tooltip: {
        usePointStyle: true,
        filter: ({ datasetIndex }) => datasetIndex < series.length,
        callbacks: {
          title: ([item]) => (item === undefined ? '' : `${x.title}: ${x.print(item.parsed.x ?? 0)}`),
          label: ({ dataset, datasetIndex, parsed }) => {
            const spread = series[datasetIndex]?.spreads?.find(({ x: at }) => at === parsed.x);
            return `${dataset.label}: ${printPoint(y, parsed.y ?? 0, spread?.thin)}`;
          },
        },
      },
      annotation: { animations: false, annotations: annotationsOf(band, level, ink) },
    },
  };
  return (
    <Chart key={ink.surface} type="line" data={data} options={options} aria-label={label} updateMode="none" />
  );
}

function datasetOf({ line = true, markerSize = 4, ...series }: XySeries, ink: Ink) {
  return {
    label: series.label,
    data: [...series.points],
    showLine: line,
    borderColor: series.color,
    borderWidth: series.thin === true ? 1.25 : 2,
    borderDash: series.dashed ? (series.thin === true ? [3, 2] : [6, 4]) : [],
    borderJoinStyle: 'round' as const,
    backgroundColor: series.quiet === true ? ink.surface : series.color,
    pointStyle: series.marker === 'diamond' ? ('rectRot' as const) : ('circle' as const),
    pointRadius: markerSize,
    pointHoverRadius: markerSize + 2,
    pointBorderColor: series.color,
    pointBorderWidth: 1.5,
    pointBackgroundColor: series.quiet === true ? ink.surface : series.color,
    pointHitRadius: 8,
    order: series.quiet === true ? 2 : 1,
    ...(series.spreads === undefined ? {} : { spreads: series.spreads }),
  };
}

/** Two lines with the room between them filled; neither is drawn. */
function ribbonOf(ribbon: NonNullable<XyChartProps['ribbon']>, ink: Ink) {
  const edge = {
    ...{ borderWidth: 0, pointRadius: 0, pointHitRadius: 0, pointHoverRadius: 0, order: 3 },
    backgroundColor: `${ink.band}cc`,
  };
  return [
    { ...edge, label: 'From', data: ribbon.map(({ x, lo }) => ({ x, y: lo })), fill: '+1' },
    { ...edge, label: 'To', data: ribbon.map(({ x, hi }) => ({ x, y: hi })), fill: false },
  ];
}

function annotationsOf(band: XyChartProps['band'], level: number | undefined, ink: Ink) {
  return {
    ...(band === null || band === undefined
      ? {}
      : {
          band: {
            type: 'box' as const,
            yMin: band.from,
            yMax: band.to,
            backgroundColor: `${ink.band}99`,
            borderWidth: 0,
            drawTime: 'beforeDatasetsDraw' as const,
          },
        }),
    ...(level === undefined
      ? {}
      : {
          level: {
            type: 'line' as const,
            yMin: level,
            yMax: level,
            borderColor: ink.soft,
            borderWidth: 1,
            drawTime: 'beforeDatasetsDraw' as const,
          },
        }),
  };
}
