import type { Histogram } from 'hdr-histogram-js';
import { type AbFigures, type AbSpread, abPercents } from '../../../../shared/ab-figures.ts';
import type { RequestOutcome } from '../../../../shared/outcome.ts';
import type { LoadResult } from '../../../../shared/slot.ts';
import { decodeHistogram } from '../../../statistics/histogram.ts';
import { abTlsOf } from './ab-tls.ts';

/** What a slot cannot say of itself. */
export type AbTarget = Pick<
  AbFigures,
  'serverSoftware' | 'hostname' | 'port' | 'path' | 'documentBytes' | 'concurrency'
> & {
  encrypted: boolean;
  /** Whether connections were to stay open, as with `ab -k`. */
  keepAlive: boolean;
};

/**
 * What `ab` would have printed of a slot of single requests. Counts and rates are of the whole slot; times are of the
 * requests in its window, each from its histogram of whole µs. What a histogram of each phase does not tell is how phases of
 * one request go together: means add up, other figures of a sum are put together, and the notes say which.
 */
export function abFiguresOf(load: LoadResult, target: AbTarget): AbFigures {
  const { encrypted, keepAlive, ...of } = target;
  const seconds = load.elapsedUs / 1e6;
  const { requests } = load;
  const perRequest = requests === 0 ? 0 : (1000 * seconds) / requests;
  const latency = decodeHistogram(load.latencyHistogram);
  const times = latency.totalCount === 0 ? null : timesOf(load, latency);
  return {
    ...of,
    tls: encrypted && load.negotiated !== null ? abTlsOf(load.negotiated, of.hostname) : null,
    ...{ seconds, complete: requests },
    failed: {
      connect: countOf(load, ['connection_refused', 'connect_failed', 'tls_failed', 'tls_changed']),
      receive: countOf(load, [
        ...(['connection_reset', 'connection_closed_early', 'timed_out', 'malformed_response'] as const),
      ]),
      length: countOf(load, ['body_too_short', 'body_too_long']),
      exceptions: countOf(load, ['check_failed', 'extraction_failed']),
    },
    non2xx: countOf(load, ['unexpected_status']),
    keepAliveRequests: keepAlive ? Math.max(0, requests - load.connectionsOpened) : null,
    totalBytes: load.wireBytesRead,
    htmlBytes: load.bodyBytes,
    requestsPerS: requests / seconds,
    msPerRequest: of.concurrency * perRequest,
    msAcrossConcurrent: perRequest,
    kibPerS: load.wireBytesRead / 1024 / seconds,
    timesMs: times?.ms ?? null,
    percentiles: abPercents.flatMap((percent) =>
      times === null ? [] : [{ percent, ms: latency.getValueAtPercentile(percent) / 1000 }],
    ),
    notes: [
      ...(encrypted
        ? [
            'Total transferred and Transfer rate count bytes on the wire, TLS records included; ab counts what they hold.',
          ]
        : []),
      ...(times?.notes ?? []),
    ],
  };
}

function countOf({ errors }: LoadResult, outcomes: readonly RequestOutcome[]): number {
  return errors.reduce((sum, { outcome, count }) => sum + (outcomes.includes(outcome) ? count : 0), 0);
}

type Times = { ms: NonNullable<AbFigures['timesMs']>; notes: string[] };

function timesOf({ phaseHistograms }: LoadResult, latency: Histogram): Times {
  const all = latency.totalCount;
  const total = spreadOf(latency, all);
  const phase = (name: keyof NonNullable<LoadResult['phaseHistograms']>) => {
    const encoded = phaseHistograms?.[name] ?? null;
    return encoded === null ? nothing : spreadOf(decodeHistogram(encoded), all);
  };
  const [tcp, tls] = [phase('connectUs'), phase('tlsUs')];
  const connect = together(tcp, tls);
  const waiting = phase('ttfbUs');
  const opened = connect.max > 0;
  const mean = Math.max(0, total.mean - connect.mean);
  const processing = opened ? { ...together(waiting, phase('downloadUs')), mean } : total;
  return {
    ms: { connect, processing, waiting, total },
    notes: [
      ...(phaseHistograms === null ? ['Connect and Waiting were not recorded.'] : []),
      ...(tls.max > 0 ? [combined('Connect', 'TCP’s and the TLS handshake’s')] : []),
      ...(opened ? [combined('Processing', 'those up to the first byte and from there to the last')] : []),
    ],
  };
}

function combined(row: string, parts: string): string {
  return `${row}: min, sd, median and max are put together from ${parts}; only the mean is exact.`;
}

const nothing: AbSpread = { min: 0, mean: 0, sd: 0, median: 0, max: 0 };

/** Of both one after the other: exact where one of them is nothing, else exact in the mean, and in the rest as if each request had the same place in both; sd as if they were independent. */
function together(one: AbSpread, other: AbSpread): AbSpread {
  return {
    min: one.min + other.min,
    mean: one.mean + other.mean,
    sd: Math.hypot(one.sd, other.sd),
    median: one.median + other.median,
    max: one.max + other.max,
  };
}

/** In ms, of `all` requests: those without the phase have nothing of it in the histogram, and took 0. */
function spreadOf(histogram: Histogram, all: number): AbSpread {
  const count = histogram.totalCount;
  if (count === 0) return nothing;
  const share = Math.min(1, count / all);
  const mean = histogram.mean * share;
  const square = (histogram.stdDeviation ** 2 + histogram.mean ** 2) * share;
  const n = Math.max(all, count);
  const sd = n < 2 ? 0 : Math.sqrt((Math.max(0, square - mean ** 2) * n) / (n - 1));
  const place = (0.5 - (1 - share)) / share;
  return {
    min: share < 1 ? 0 : histogram.minNonZeroValue / 1000,
    mean: mean / 1000,
    sd: sd / 1000,
    median: place <= 0 ? 0 : histogram.getValueAtPercentile(100 * place) / 1000,
    max: histogram.maxValue / 1000,
  };
}
