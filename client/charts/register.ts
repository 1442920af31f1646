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
import { endLabels } from './end-labels.ts';
import { fitPrint } from './fit-print.ts';
import { spreadBars } from './spread-bars.ts';

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
fitPrint();
