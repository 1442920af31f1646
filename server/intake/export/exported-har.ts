import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import { type Exchange, headerOf, type RecordedHeaders } from '../../../shared/scenario/import.ts';
import { type Scenario, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { withAddresses } from '../traffic/move-actions.ts';
import { entryTexts, exchangesOf } from './written-values.ts';

/** The same actions at another address: what was opened first is moved there, with all that belongs to it. */
export function moveActions(actions: readonly BrowserAction[], origin: string): BrowserAction[] {
  const from = actions.flatMap((action) =>
    action.type === 'goto' ? (URL.parse(action.url)?.origin ?? []) : [],
  )[0];
  if (from === undefined || from === 'null') return [...actions];
  return withAddresses(actions, (url) =>
    url === from || url.startsWith(`${from}/`) ? origin + url.slice(from.length) : url,
  );
}

/** A scenario as a HAR. What a HAR has no place for is in our own field of its first entry, so that it reads back whole. */
export function writeScenarioHar(
  { id: _, ...scenario }: Scenario,
  origin: string,
  startedAt: string,
): string {
  return writeHar(exchangesOf(scenario, origin), startedAt, scenario);
}

/**
 * Redacted exchanges as a HAR 1.2, which browsers' developer tools open. Bodies of responses are left out: they may
 * hold what no list of secret names knows.
 *
 * @param startedAt when the first request left, as an ISO date
 */
export function writeHar(
  exchanges: readonly Exchange[],
  startedAt: string,
  scenario: Scenario | null = null,
): string {
  const startMs = Date.parse(startedAt);
  const log = {
    version: '1.2',
    creator: { name: 'TLS Toll', version: '1' },
    pages: [],
    entries: exchanges.map(entryTexts).map(({ exchange, hasNames }, index) => ({
      ...entryOf(exchange, startMs),
      // Whether `${secret:password}` in its texts is a name, and not what is sent.
      _tlsToll: {
        template: hasNames,
        ...(index === 0 && scenario !== null ? { scenario: JSON.stringify(scenario) } : {}),
      },
    })),
  };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}

function entryOf(exchange: Exchange, startMs: number) {
  const { requestHeaders, responseHeaders, requestBody, path, origin, durationMs } = exchange;
  const headerValue = (name: string) => headerOf(responseHeaders, name) ?? '';
  return {
    startedDateTime: new Date(startMs + exchange.startedAtMs).toISOString(),
    time: durationMs,
    request: {
      method: exchange.method,
      url: origin + path,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(requestHeaders),
      queryString: fieldsOf(path.split('?').slice(1).join('?')),
      ...(requestBody === null
        ? {}
        : { postData: { mimeType: headerOf(requestHeaders, 'content-type') ?? '', text: requestBody } }),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: exchange.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(responseHeaders),
      content: { size: -1, mimeType: headerValue('content-type') },
      redirectURL: headerValue('location'),
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _resourceType: exchange.resourceType,
  };
}

function headersOf(headers: RecordedHeaders) {
  return headers.map(([name, value]) => ({ name, value }));
}

function fieldsOf(query: string) {
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}

/** Our own JSON: what `tls-toll import` and `compare --scenario` read. Without the id, which belongs to this server. */
export function writeScenario(scenario: Scenario): string {
  const { id: _, ...rest } = scenarioSchema.parse(scenario);
  return `${JSON.stringify(rest, null, 2)}\n`;
}
