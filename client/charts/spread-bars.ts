import type { Chart, Plugin } from 'chart.js';

/** A wide and a thin bar at one x, such as where three quarters of the values lie and where nearly all do. */
export type Spread = { x: number; wide: readonly [number, number]; thin: readonly [number, number] };

const widePx = 6;
const thinPx = 1.5;
/** Bars of different series at the same x stand side by side. */
const apartPx = 8;

type Spreading = { spreads?: readonly Spread[]; borderColor?: unknown };

/** Draws the `spreads` of datasets that have some, behind every line and point. */
export const spreadBars: Plugin<'line'> = {
  id: 'spreadBars',
  beforeDatasetsDraw(chart: Chart) {
    const { x, y } = chart.scales;
    if (x === undefined || y === undefined) return;
    const spreading = (chart.data.datasets as Spreading[]).filter(({ spreads }) => spreads !== undefined);
    const { ctx, chartArea } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(chartArea.left, chartArea.top, chartArea.width, chartArea.height);
    ctx.clip();
    for (const [index, { spreads = [], borderColor }] of spreading.entries()) {
      const shift = (index - (spreading.length - 1) / 2) * apartPx;
      ctx.fillStyle = String(borderColor);
      for (const spread of spreads) {
        const at = x.getPixelForValue(spread.x) + shift;
        const bar = ([lo, hi]: readonly [number, number], px: number) => {
          const [bottom, top] = [y.getPixelForValue(lo), y.getPixelForValue(hi)];
          ctx.fillRect(at - px / 2, top, px, Math.max(1, bottom - top));
        };
        ctx.globalAlpha = 0.7;
        bar(spread.thin, thinPx);
        ctx.globalAlpha = 0.35;
        bar(spread.wide, widePx);
      }
    }
    ctx.restore();
  },
};
