import { type AbCounts, type AbFigures, abPercents } from '../../../../shared/kinds/servers/ab-figures.ts';
import { abTlsOf } from './ab-tls.ts';

/** What the counts cannot say of themselves. */
export type AbTarget = Pick<
  AbFigures,
  'serverSoftware' | 'hostname' | 'port' | 'path' | 'documentBytes' | 'concurrency'
> & {
  encrypted: boolean;
  /** Whether connections were to stay open, as with `ab -k`. */
  keepAlive: boolean;
  /** In sentences: what else a reader has to know. */
  notes?: readonly string[];
};

/** What `ab` would have printed; the notes say which figures are not what it would have counted. */
export function abFiguresOf(counts: AbCounts, target: AbTarget): AbFigures {
  const { encrypted, keepAlive, notes = [], ...of } = target;
  const { seconds, requests, timesMs, ladderMs, totalBytes, negotiated } = counts;
  const perRequest = requests === 0 ? 0 : (1000 * seconds) / requests;
  const opened = timesMs !== null && timesMs.connect.max > 0;
  return {
    ...of,
    tls: encrypted && negotiated !== null ? abTlsOf(negotiated, of.hostname) : null,
    ...{ seconds, complete: requests, failed: counts.failed, non2xx: counts.non2xx },
    keepAliveRequests: keepAlive ? Math.max(0, requests - counts.connectionsOpened) : null,
    ...{ totalBytes, htmlBytes: counts.htmlBytes },
    requestsPerS: requests / seconds,
    msPerRequest: of.concurrency * perRequest,
    msAcrossConcurrent: perRequest,
    kibPerS: totalBytes / 1024 / seconds,
    timesMs,
    percentiles: abPercents.flatMap((percent, index) => {
      const ms = ladderMs?.[index];
      return ms === undefined ? [] : [{ percent, ms }];
    }),
    notes: [
      ...notes,
      ...(encrypted
        ? [
            'Total transferred and Transfer rate count bytes on the wire, TLS records included; ab counts what they hold.',
          ]
        : []),
      ...(timesMs === null || counts.phased ? [] : ['Connect and Waiting were not recorded.']),
      ...(opened && encrypted ? [combined('Connect', 'TCP’s and the TLS handshake’s')] : []),
      ...(opened ? [combined('Processing', 'those up to the first byte and from there to the last')] : []),
    ],
  };
}

function combined(row: string, parts: string): string {
  return `${row}: min, sd, median and max are put together from ${parts}; only the mean is exact.`;
}
