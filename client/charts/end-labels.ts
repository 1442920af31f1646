import type { Chart, Plugin } from 'chart.js';

/** Stands behind the end of a lying bar, with the marker of its side. */
export type EndLabel = { label: string; color: string; marker: 'circle' | 'diamond' };

/** Room in pixels that the labels take on the right. */
export const endRoomPx = 76;
const markerPx = 4;

type Ending = { endLabel?: EndLabel & { ends?: readonly string[] | undefined } };

/** Labels the last dataset of each stack with its `endLabel`. */
export const endLabels: Plugin<'bar'> = {
  id: 'endLabels',
  afterDatasetsDraw(chart: Chart) {
    const { ctx } = chart;
    ctx.save();
    ctx.font = '12px system-ui, sans-serif';
    ctx.textBaseline = 'middle';
    for (const [index, { endLabel }] of (chart.data.datasets as Ending[]).entries()) {
      if (endLabel === undefined) continue;
      for (const [place, { x, y }] of chart.getDatasetMeta(index).data.entries()) {
        if (Number.isNaN(x)) continue;
        const own = endLabel.ends?.[place];
        if (own !== undefined) {
          ctx.fillStyle = String(chart.options.color);
          ctx.fillText(own, x + 8, y);
          continue;
        }
        ctx.fillStyle = endLabel.color;
        drawMarker(ctx, endLabel.marker, x + 12, y);
        ctx.fillStyle = String(chart.options.color);
        ctx.fillText(endLabel.label, x + 22, y);
      }
    }
    ctx.restore();
  },
};

function drawMarker(ctx: CanvasRenderingContext2D, marker: EndLabel['marker'], x: number, y: number): void {
  ctx.beginPath();
  if (marker === 'circle') ctx.arc(x, y, markerPx, 0, 2 * Math.PI);
  else {
    const reach = markerPx + 1;
    ctx.moveTo(x, y - reach);
    ctx.lineTo(x + reach, y);
    ctx.lineTo(x, y + reach);
    ctx.lineTo(x - reach, y);
  }
  ctx.fill();
}
