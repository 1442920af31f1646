import type { XySeries } from '../../../charts/xy-chart.tsx';

/** A figure of an old table and of today, as lines over what both vary: one choice of a then-and-now figure. */
export type Curves = {
  name: string;
  /** Titles of the axes, with their units. */
  x: string;
  y: string;
  /** Of an old table: dashed. The marker repeats what the color says. */
  lines: XySeries[];
  /** The finding, in words. */
  caption: string;
};
