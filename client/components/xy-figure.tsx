import { type ComponentProps, lazy } from 'react';
import type { XyChartProps } from '../charts/xy-chart.tsx';
import { Figure } from './figure.tsx';
import { Legend } from './legend.tsx';

/** Before the first drawing, where its page has time for it. */
export const loadXyChart = () => import('../charts/xy-chart.tsx');
const XyChart = lazy(loadXyChart);

type Props = XyChartProps &
  Omit<ComponentProps<typeof Figure>, 'children'> & {
    /** What the shaded range is, for the legend. */
    bandName?: string | undefined;
  };

/** Lines and markers as a figure. Its legend names the series, unless another one is given. */
export function XyFigure({ caption, marks, legend, table, height, bandName, ...chart }: Props) {
  return (
    <Figure
      caption={caption}
      marks={marks}
      legend={legend === undefined ? <Legend items={chart.series} band={bandName} /> : legend}
      table={table}
      height={height}
    >
      <XyChart {...chart} />
    </Figure>
  );
}
