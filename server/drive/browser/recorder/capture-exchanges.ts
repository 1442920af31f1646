import type { BrowserContext, Request } from 'playwright-core';
import {
  type Exchange,
  headerOf,
  recordingLimits,
  type Unsupported,
} from '../../../../shared/scenario/recording.ts';
import { withinTime } from '../../../base/process/within-time.ts';
import { readHarEntry } from '../../../intake/import/har/read-har-entry.ts';
import { blockedHeader } from '../egress/forward-request.ts';
import { harEntryOf } from './har-entry-of.ts';
import type { RecordingClock } from './recording-clock.ts';

type Capture = {
  count(): number;
  /** Resolves once everything that has arrived is read, or when the patience is over. */
  settled(patienceMs: number): Promise<void>;
  exchanges(): Exchange[];
  unsupported(): Unsupported[];
};

/**
 * What the browser and its servers say to each other, as entries of a HAR, which one reader knows already. Playwright's
 * `recordHar` would write them to a file first, with every password, and only when the browser still lives at the end.
 */
export function captureExchanges(
  context: BrowserContext,
  clock: RecordingClock,
  changed: () => void,
): Capture {
  const begun = new Map<Request, { number: number; startedAtMs: number }>();
  const exchanges: Exchange[] = [];
  const unsupported: Unsupported[] = [];
  const done = new WeakSet<Request>();
  const reading = new Set<Promise<void>>();
  let bodiesLength = 0;
  let overflowed = false;

  context.on('request', (request) => {
    if (clock.paused()) return;
    if (begun.size >= recordingLimits.exchanges) {
      overflowed = true;
      return;
    }
    begun.set(request, { number: begun.size + 1, startedAtMs: clock.now() });
    changed();
  });
  context.on('requestfinished', startReading);

  function startReading(request: Request): void {
    const beginning = begun.get(request);
    if (beginning === undefined || done.has(request)) return;
    done.add(request);
    const read = add(request, beginning.number, beginning.startedAtMs)
      // The browser may be closed by now, and what it had of the request with it.
      .catch(() => {})
      .finally(() => reading.delete(read));
    reading.add(read);
  }

  async function add(request: Request, number: number, startedAtMs: number): Promise<void> {
    const durationMs = clock.now() - startedAtMs;
    const entry = readHarEntry(await harEntryOf(request, durationMs), number);
    if ('reason' in entry) {
      unsupported.push({ line: number, reason: `Request ${number} ${entry.reason}.` });
      return;
    }
    if (isBlocked(entry.exchange)) return;
    const length = entry.exchange.responseBody?.length ?? 0;
    const kept = bodiesLength + length <= recordingLimits.responseBodiesLength;
    if (kept) bodiesLength += length;
    exchanges.push({
      ...entry.exchange,
      startedAtMs,
      durationMs: Math.max(0, durationMs),
      ...(kept ? {} : { responseBody: null }),
    });
  }

  return {
    count: () => begun.size,
    async settled(patienceMs) {
      // The page of a site that hangs has come as far as its headers.
      for (const request of begun.keys()) if (request.existingResponse() !== null) startReading(request);
      await withinTime(Promise.allSettled(reading), patienceMs, null);
    },
    exchanges: () => exchanges.toSorted((a, b) => a.number - b.number),
    unsupported: () => (overflowed ? [...unsupported, tooMany] : unsupported),
  };
}

const tooMany: Unsupported = {
  line: null,
  reason: `Only the first ${recordingLimits.exchanges} requests were kept.`,
};

/** What the egress itself answered was never on the network. */
function isBlocked(exchange: Exchange): boolean {
  return headerOf(exchange.responseHeaders, blockedHeader) !== undefined;
}
