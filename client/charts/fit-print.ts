import { Chart } from 'chart.js';

/** In pixels, within the margins of A4 and Letter. */
const paperWidth = 640;
const heightAlone = 180;
const heightAmongOthers = 120;

/** Draws every chart in the size of a page while it is printed: nothing tells a canvas that its page has become smaller. */
export function fitPrint(): void {
  addEventListener('beforeprint', () => {
    const charts = Object.values(Chart.instances);
    const height = charts.length > 1 ? heightAmongOthers : heightAlone;
    for (const chart of charts)
      chart.resize(Math.min(chart.width, paperWidth), Math.min(chart.height, height));
  });
  addEventListener('afterprint', () => {
    for (const chart of Object.values(Chart.instances)) chart.resize();
  });
}
