import { setTimeout as pause } from 'node:timers/promises';
import type { Recording } from './record-exchanges.ts';

/** A stream that never ends holds a visit up no longer than this. */
const stragglersMs = 1_000;

/** Until nothing is under way any more. */
export async function settle(recording: Recording, signal: AbortSignal): Promise<void> {
  const enough = new AbortController();
  const stragglers = pause(stragglersMs, undefined, { signal: AbortSignal.any([enough.signal, signal]) });
  await Promise.race([recording.settled(), stragglers.catch(() => {})]);
  enough.abort();
}
