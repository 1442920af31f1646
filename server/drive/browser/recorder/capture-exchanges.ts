import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Request, Response } from 'playwright-core';
import {
  type Exchange,
  headerOf,
  recordingLimits,
  type Unsupported,
} from '../../../../shared/scenario/recording.ts';
import { readHarEntry } from '../../../intake/import/har/read-har-entry.ts';
import { blockedHeader } from '../egress/open-egress.ts';
import { withinTime } from '../within-time.ts';
import type { RecordingClock } from './recording-clock.ts';

type Capture = {
  count(): number;
  /** Whether a page asked for this host, with its port. The browser has wishes of its own. */
  asked(host: string): boolean;
  /** Resolves once nothing has been under way for half a second, or when the patience is over. */
  still(patienceMs: number): Promise<void>;
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
  const hosts = new Set<string | undefined>();
  const exchanges: Exchange[] = [];
  const unsupported: Unsupported[] = [];
  const done = new WeakSet<Request>();
  const reading = new Set<Promise<void>>();
  const underWay = new Set<Request>();
  let movedAt = performance.now();
  let bodiesLength = 0;
  let overflowed = false;

  context.on('page', (page) => page.on('websocket', (socket) => addHost(socket.url())));
  context.on('request', (request) => {
    addHost(request.url());
    underWay.add(request);
    movedAt = performance.now();
    if (clock.paused()) return;
    if (begun.size >= recordingLimits.exchanges) {
      overflowed = true;
      return;
    }
    begun.set(request, { number: begun.size + 1, startedAtMs: clock.now() });
    changed();
  });
  context.on('requestfinished', (request) => {
    ended(request);
    startReading(request);
  });
  context.on('requestfailed', ended);

  function ended(request: Request): void {
    underWay.delete(request);
    movedAt = performance.now();
  }

  function addHost(url: string): void {
    if (hosts.size < mostHosts) hosts.add(URL.parse(url)?.host);
  }

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
    const entry = readHarEntry(await harEntryOf(request), number);
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
    asked: (host) => hosts.has(host),
    async still(patienceMs) {
      const deadline = performance.now() + patienceMs;
      // What the last action did may ask for something a moment later.
      const isStill = () => underWay.size === 0 && performance.now() - movedAt >= stillMs;
      movedAt = performance.now();
      while (!isStill() && performance.now() < deadline) await pause(lookAgainMs);
    },
    async settled(patienceMs) {
      // The page of a site that hangs has come as far as its headers.
      for (const request of begun.keys()) if (request.existingResponse() !== null) startReading(request);
      await withinTime(Promise.allSettled(reading), patienceMs, null);
    },
    exchanges: () => exchanges.toSorted((a, b) => a.number - b.number),
    unsupported: () => (overflowed ? [...unsupported, tooMany] : unsupported),
  };
}

const mostHosts = 1_000;
const stillMs = 500;
const lookAgainMs = 50;

const tooMany: Unsupported = {
  line: null,
  reason: `Only the first ${recordingLimits.exchanges} requests were kept.`,
};

/** What the egress itself answered was never on the network. */
function isBlocked(exchange: Exchange): boolean {
  return headerOf(exchange.responseHeaders, blockedHeader) !== undefined;
}

/** As a HAR has it; times are the recording's own. A browser too busy to answer loses details of an exchange, not the exchange. */
async function harEntryOf(request: Request): Promise<unknown> {
  const response = request.existingResponse();
  const sent = request.postDataBuffer();
  const [sentHeaders, receivedHeaders, text] = await Promise.all([
    headersOf(request),
    response === null ? [] : headersOf(response),
    response === null ? null : textOf(response),
  ]);
  return {
    startedDateTime: new Date(0).toISOString(),
    time: 0,
    request: {
      method: request.method(),
      url: request.url(),
      headers: withoutProxyHeader(sentHeaders),
      ...(sent === null ? {} : { postData: postDataOf(sent, request) }),
    },
    response:
      response === null
        ? { status: 0 }
        : {
            status: response.status(),
            headers: receivedHeaders,
            content: { mimeType: mimeTypeOf(response), text },
          },
    _resourceType: request.resourceType(),
  };
}

/** As they went over the wire, or else as the page knows them. */
async function headersOf(message: Request | Response): Promise<{ name: string; value: string }[]> {
  const known = await withinTime(message.headersArray(), answerMs, null);
  return known ?? Object.entries(message.headers()).map(([name, value]) => ({ name, value }));
}

/** What it says to the egress is not said to a server. */
function withoutProxyHeader(headers: { name: string; value: string }[]) {
  return headers.filter(({ name }) => name.toLowerCase() !== 'proxy-connection');
}

function postDataOf(sent: Buffer, request: Request) {
  const mimeType = request.headers()['content-type'] ?? '';
  const text = sent.toString('utf8');
  return Buffer.from(text, 'utf8').equals(sent)
    ? { mimeType, text }
    : { mimeType, text: sent.toString('base64'), encoding: 'base64' };
}

function mimeTypeOf(response: Response): string {
  return response.headers()['content-type'] ?? '';
}

/** Shorter than anybody who ends a recording waits for what is still being read. */
const answerMs = 1_000;
const textTypes = /^text\/html|[/+](json|xml|x-www-form-urlencoded)\b|^text\/plain/i;

/** Of what may carry a value that a later request sends; null for a redirect, and for what the browser has dropped. */
async function textOf(response: Response): Promise<string | null> {
  const isShort = Number(response.headers()['content-length'] ?? 0) <= recordingLimits.responseBodyLength * 4;
  if (!isShort || !textTypes.test(mimeTypeOf(response))) return null;
  return withinTime(response.text(), answerMs, null);
}
