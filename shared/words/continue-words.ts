import type { Length } from '../kinds/comparison/load-names.ts';

/** How long a run of each length goes on if it is continued, in s. */
export const continuationS: Record<Length, number> = { first: 120, quote: 240, fine: 900 };

/** A machine may be another one after a longer pause. */
export const longestPauseMs = 15 * 60_000;
