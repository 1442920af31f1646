import type { Browser, BrowserContext, Request, Response } from 'playwright-core';
import { problem } from '../../../shared/base/problem.ts';
import {
  type Exchange,
  headerOf,
  recordingLimits,
  type Unsupported,
} from '../../../shared/scenario/import.ts';
import type { Ending, RecorderInput, RecorderMessage, Viewport } from '../../../shared/scenario/recorder.ts';
import { withinTime } from '../../base/process/children.ts';
import { problemOfError } from '../../base/text/foreign-errors.ts';
import { readHarEntry } from '../../intake/import/har-entries.ts';
import type { Recorded } from '../../intake/traffic/recording-report.ts';
import { blockedHeader } from './forward-request.ts';
import { launchHeadless, quietArguments } from './launch-chromium.ts';
import type { RecordingClock } from './pages.ts';
import { type Egress, type EgressOptions, openEgress } from './permit-hosts.ts';
import { openContext } from './record-exchanges.ts';

type Capture = {
  count(): number;
  /** Resolves once everything that has arrived is read, or when the patience is over. */
  settled(patienceMs: number): Promise<void>;
  exchanges(): Exchange[];
  unsupported(): Unsupported[];
};

/**
 * Traffic between the browser and its servers, as entries of a HAR, for which there is a reader already. Playwright's `recordHar` would
 * write them to a file first, with every password, and only if the browser still lives at the end.
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

/** An answer of the egress itself was never on the network. */
function isBlocked(exchange: Exchange): boolean {
  return headerOf(exchange.responseHeaders, blockedHeader) !== undefined;
}

/**
 * An exchange as a HAR entry; times are the recording's own. A browser too busy to answer loses details of an exchange, not the exchange.
 */
async function harEntryOf(request: Request, durationMs: number): Promise<unknown> {
  const response = request.existingResponse();
  const sent = request.postDataBuffer();
  const [sentHeaders, receivedHeaders, text] = await Promise.all([
    headersOf(request),
    response === null ? [] : headersOf(response),
    response === null ? null : readResponseText(response),
  ]);
  return {
    startedDateTime: new Date(0).toISOString(),
    time: durationMs,
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

/** Headers that went over the wire, or else those that the page knows. */
async function headersOf(message: Request | Response): Promise<{ name: string; value: string }[]> {
  const known = await withinTime(message.headersArray(), answerMs, null);
  return known ?? Object.entries(message.headers()).map(([name, value]) => ({ name, value }));
}

/** Removes the header that is meant for the egress, not for a server. */
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

/** Text that may contain a value that a later request sends; null for a redirect, and for a body that the browser has dropped. */
async function readResponseText(response: Response): Promise<string | null> {
  const isShort = Number(response.headers()['content-length'] ?? 0) <= recordingLimits.responseBodyLength * 4;
  if (!isShort || !textTypes.test(mimeTypeOf(response))) return null;
  return withinTime(response.text(), answerMs, null);
}

/** A browser that is not to be trusted: its one context, and the only way out of it. */
export type Sandbox = {
  browser: Browser;
  context: BrowserContext;
  egress: Egress;
  close(): Promise<void>;
};

export type SandboxOptions = EgressOptions & {
  executablePath: string;
  /** First address. Nothing is opened if it is not permitted. */
  url: string;
  viewport: Viewport;
};

const launchMs = 20_000;
/** A browser that hangs is killed by Playwright in its own time; nobody waits longer than this to see it end. */
const closeMs = 5_000;

/** Throws target_not_permitted, browser_failed. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { executablePath, url, viewport } = options;
  const egress = await openEgress(options);
  let browser: Browser | null = null;
  const close = async () => {
    // First the way out: a browser that hangs sends nothing more.
    await egress.close();
    if (browser !== null) await withinTime(browser.close(), closeMs, null);
  };
  try {
    const reason = await egress.reasonAgainst(new URL(url));
    if (reason !== null) throw problem('target_not_permitted', reason);
    browser = await launchHeadless({
      executablePath,
      timeoutMs: launchMs,
      // It takes loopback in as well (`<-loopback>`), which a plain `--proxy-server` leaves out.
      proxy: { server: egress.url },
      // Names are looked up by the egress; nothing is looked up ahead of it.
      args: [...quietArguments, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
    }).catch(failed);
    const context = await openContext(browser, {
      viewport,
      acceptDownloads: false,
      // Only permitted hosts are reached, and nothing is measured: whom to trust is for the run to judge.
      ignoreHTTPSErrors: true,
    });
    return { browser, context, egress, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function failed(error: unknown): never {
  throw problemOfError('browser_failed', 'The browser could not be started', error);
}

export type RecordingOptions = Omit<SandboxOptions, 'onRefused'> & {
  /** Ends it as `closing`; before anything is opened it rejects. */
  signal: AbortSignal;
  /** Nothing that is told holds what was typed into a password field. */
  tell(message: RecorderMessage): void;
  show(jpeg: Uint8Array): void;
  /** Shorter ones for tests. */
  times?: { durationMs: number; askEveryMs: number; hungAfterMs: number };
};

export type Recording = {
  input(input: RecorderInput): void;
  /** Tells and shows everything that there is, for who has just come. */
  greet(): void;
  /** Ends it for this reason, unless it is ending already. */
  end(ending: Ending): void;
  /** Resolves when the browser is closed. */
  ended: Promise<Recorded>;
};
