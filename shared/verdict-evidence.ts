import type { MetricComparison } from './comparison.ts';
import { linkInWords } from './link.ts';
import { negotiatedWords } from './negotiated-words.ts';
import { printNumber } from './quantity.ts';
import type { RunDocument } from './run.ts';
import { shiftOf } from './shift.ts';

/**
 * The line below a verdict: `+387 µs per transaction, 95 % CI +14.4 to +16.9 %, 7 launches, TLS 1.3, AES-256-GCM`. Null where nothing is printed of
 * the metric, and where the sentence was stored when it still said all of this itself.
 */
export function evidenceOf({
  verdict,
  metrics,
  link,
  tls,
}: Pick<RunDocument, 'verdict' | 'metrics' | 'link' | 'tls'>): string | null {
  if (verdict === null || verdict.sentence.includes('95 % interval')) return null;
  const row = metrics.find(({ id }) => id === verdict.metric);
  const shift = row === undefined ? null : shiftOf(row);
  if (row === undefined || shift === null) return null;
  const of = row.id === 'cpu_per_transaction' ? ' per transaction' : '';
  const negotiated = negotiatedWords(tls);
  return [
    ...(shift.absolute === null ? [] : [`${shift.absolute}${of}`]),
    `95 % CI ${shift.interval}`,
    unitsOf(row),
    ...(link === undefined ? [] : [`over ${linkInWords(link)}`]),
    ...(negotiated === null ? [] : [negotiated]),
  ].join(', ');
}

/** What the interval is over: launches, or the blocks of one. */
function unitsOf({ launches, pairs }: MetricComparison): string {
  if (launches.length > 1) return `${printNumber(launches.length, 0)} launches`;
  return `${printNumber(pairs.length, 0)} blocks${launches.length === 1 ? ' of one launch' : ''}`;
}
