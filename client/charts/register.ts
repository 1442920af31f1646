import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
  Tooltip,
} from 'chart.js';
import { BarWithErrorBar, BarWithErrorBarsController } from 'chartjs-chart-error-bars';
import annotation from 'chartjs-plugin-annotation';
import { endLabels, spreadBars } from './axis.ts';

/**
 * The parts of Chart.js that the charts use; each chart imports this for its effect. All together: a chart that stands already
 * fails when a plugin comes after it.
 */
Chart.register(
  LineController,
  LineElement,
  PointElement,
  BarController,
  BarElement,
  BarWithErrorBarsController,
  BarWithErrorBar,
  LinearScale,
  LogarithmicScale,
  CategoryScale,
  Tooltip,
  Filler,
  annotation,
  spreadBars,
  endLabels,
);
Chart.defaults.font.size = 13;
fitPrint();

/** In pixels, within the margins of A4 and Letter. */
const paperWidth = 640;
const heightAlone = 180;
const heightAmongOthers = 120;

/** Draws every chart in the size of a page while it is printed: nothing tells a canvas that its page has become smaller. */
function fitPrint(): void {
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
