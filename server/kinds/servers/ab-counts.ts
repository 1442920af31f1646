import type { Histogram } from 'hdr-histogram-js';
import type { RequestOutcome } from '../../../shared/base/outcome.ts';
import type { LoadResult } from '../../../shared/kinds/comparison/slot.ts';
import { type CellGroup, groupCells } from '../../../shared/kinds/servers/servers.ts';
import {
  type AbCounts,
  type AbSpread,
  type AbTimes,
  abPercents,
  type ServersCell,
} from '../../../shared/kinds/servers/servers-result.ts';
import { decodeHistogram } from '../../method/statistics/latency-histogram.ts';
import { drawsOf, shuffle } from '../../method/statistics/random.ts';

/**
 * Counts that `ab` would have made in a slot of single requests. Counts are of the whole slot; times are of the requests in its
 * window, each from its histogram of whole µs. A histogram of each phase does not tell how the phases of one request go
 * together: means add up, other figures of a sum are put together.
 */
export function abCountsOf(load: LoadResult): AbCounts {
  const latency = decodeHistogram(load.latencyHistogram);
  const nothing = latency.totalCount === 0;
  return {
    seconds: load.elapsedUs / 1e6,
    requests: load.requests,
    connectionsOpened: load.connectionsOpened,
    failed: {
      connect: countOf(load, ['connection_refused', 'connect_failed', 'tls_failed', 'tls_changed']),
      receive: countOf(load, [
        ...(['connection_reset', 'connection_closed_early', 'timed_out', 'malformed_response'] as const),
      ]),
      length: countOf(load, ['body_too_short', 'body_too_long']),
      exceptions: countOf(load, ['check_failed', 'extraction_failed']),
    },
    non2xx: countOf(load, ['unexpected_status']),
    totalBytes: load.wireBytesRead,
    htmlBytes: load.bodyBytes,
    negotiated: load.negotiated,
    phased: load.phaseHistograms !== null,
    timesMs: nothing ? null : timesOf(load, latency),
    ladderMs: nothing ? null : abPercents.map((percent) => latency.getValueAtPercentile(percent) / 1000),
  };
}

function countOf({ errors }: LoadResult, outcomes: readonly RequestOutcome[]): number {
  return errors.reduce((sum, { outcome, count }) => sum + (outcomes.includes(outcome) ? count : 0), 0);
}

function timesOf({ phaseHistograms }: LoadResult, latency: Histogram): AbTimes {
  const all = latency.totalCount;
  const total = spreadOf(latency, all);
  const phase = (name: keyof NonNullable<LoadResult['phaseHistograms']>) => {
    const encoded = phaseHistograms?.[name] ?? null;
    return encoded === null ? none : spreadOf(decodeHistogram(encoded), all);
  };
  const connect = together(phase('connectUs'), phase('tlsUs'));
  const waiting = phase('ttfbUs');
  const mean = Math.max(0, total.mean - connect.mean);
  const processing = connect.max > 0 ? { ...together(waiting, phase('downloadUs')), mean } : total;
  return { connect, processing, waiting, total };
}

const none: AbSpread = { min: 0, mean: 0, sd: 0, median: 0, max: 0 };

/**
 * Spread of both, one after the other: exact if one of them is nothing, otherwise exact in the mean. Other figures assume that each request
 * had the same place in both, and sd assumes that they were independent.
 */
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
  if (count === 0) return none;
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

/** Round after round, each group once, in random order, as are its cells. The order is the seed's. */
export function* orderVisits(
  cells: readonly ServersCell[],
  rounds: number,
  seed: number,
): Generator<{ round: number; group: CellGroup; cells: ServersCell[] }> {
  const draw = drawsOf(seed);
  for (let round = 0; round < rounds; round++) {
    for (const group of shuffle(groupCells(cells), draw)) {
      yield { round, group, cells: shuffle(group.cells, draw) };
    }
  }
}
