import type { Exchange } from '../../../shared/scenario/recording.ts';

const longestMs = 60_000;
/** Below it lies the browser's own work, not a person's thought. */
const shortestMs = 100;

/** The pause before each request: from the end of all that was sent earlier until it left, in ms, times `scale`. */
export function thinkTimes(
  exchanges: readonly Pick<Exchange, 'startedAtMs' | 'durationMs'>[],
  scale: number,
): number[] {
  let endMs: number | null = null;
  return exchanges.map(({ startedAtMs, durationMs }) => {
    const pauseMs = endMs === null ? 0 : startedAtMs - endMs;
    endMs = Math.max(endMs ?? 0, startedAtMs + durationMs);
    return pauseMs < shortestMs ? 0 : Math.min(longestMs, Math.round(pauseMs * scale));
  });
}
