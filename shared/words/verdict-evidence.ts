import { printQuantity } from '../base/quantity.ts';
import { scaleOf, shiftOf } from '../base/shift.ts';
import type { MetricComparison } from '../kinds/comparison/comparison.ts';
import { linkInWords } from '../kinds/comparison/link.ts';
import type { RunDocument } from '../kinds/comparison/run.ts';
import { busyInWords } from './at-load-words.ts';
import { negotiatedWords } from './negotiated-words.ts';
import { unitsInWords } from './precision-words.ts';

type Shown = Pick<RunDocument, 'verdict' | 'metrics' | 'scenario' | 'link' | 'tls' | 'atLoad' | 'fairness'>;

/**
 * The line below a verdict: `+6.1 µs per request (14.2 → 20.3), 95 % CI +41 to +45 %, 5 launches, TLS 1.3, AES-256-GCM; a lone
 * request on an idle server +14 µs`. Null where nothing is printed of the metric.
 */
export function evidenceOf(run: Shown): string | null {
  const { verdict, metrics, link, tls } = run;
  if (verdict === null) return null;
  const row = metrics.find(({ id }) => id === verdict.metric);
  const shift = row === undefined ? null : shiftOf(row);
  if (row === undefined || shift === null) return null;
  const negotiated = negotiatedWords(tls);
  const absolute = shift.absolute === null ? null : `${shift.absolute}${unitOf(row, run)}`;
  const main = [
    ...(absolute === null ? [] : [absolute]),
    `95 % CI ${shift.interval}`,
    unitsInWords(row),
    ...(link === undefined ? [] : [`over ${linkInWords(link)}`]),
    ...(negotiated === null ? [] : [negotiated]),
  ].join(', ');
  const [lone, busy] = row.id === 'cpu_at_load' ? [loneOf(run), busyOf(run)] : [null, null];
  return [main, ...(busy === null ? [] : [busy]), ...(lone === null ? [] : [lone])].join('; ');
}

/** ` per request (14.2 → 20.3)`. */
function unitOf(row: MetricComparison, run: Shown): string {
  if (row.id !== 'cpu_at_load' || row.baseline === null || row.comparison === null) return '';
  const scale = scaleOf(row);
  const [from, to] = [row.baseline, row.comparison].map(({ center }) => printQuantity(center, scale));
  return ` per ${nounOf(run)} (${from?.replace(` ${scale.symbol}`, '')} → ${to?.replace(` ${scale.symbol}`, '')})`;
}

function nounOf({ scenario }: Shown): string {
  return scenario.steps.length === 1 ? 'request' : 'transaction';
}

/** `a lone request on an idle server +14 µs`; null where that is not certain. */
function loneOf(run: Shown): string | null {
  const lone = run.metrics.find(({ id }) => id === 'cpu_lone');
  const absolute = lone === undefined ? null : (shiftOf(lone)?.absolute ?? null);
  if (absolute === null) return null;
  return `a lone ${nounOf(run)} on an idle server ${absolute}`;
}

/** `server 31 % busy`, where its load was a rate. */
function busyOf({ atLoad, fairness }: Shown): string | null {
  if (atLoad?.ratePerS == null || atLoad.cores === null || fairness === null) return null;
  const busy = fairness.comparison.targetCpuPercent.maximum;
  return busy === null ? null : busyInWords(busy, atLoad.cores);
}
