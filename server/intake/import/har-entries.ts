import { printNumber } from '../../../shared/base/quantity.ts';
import {
  type Exchange,
  exchangeSchema,
  headerOf,
  type RecordedHeaders,
  type ResourceType,
  recordingLimits,
} from '../../../shared/scenario/import.ts';
import { methodSchema, type Scenario, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { isRecord } from '../../base/text/is-record.ts';
import { escapeTemplate } from '../scenario/template.ts';
import { isStatic, resourceTypeOf } from '../traffic/page-exchange.ts';
import { EntryFields, fromBytes } from './draft-request.ts';

/**
 * One entry of a HAR 1.2 as Chrome, Firefox and Playwright write it.
 * Source: http://www.softwareishard.com/blog/har-12-spec, and the exports of those three.
 */
type HarEntry =
  | {
      /** `startedAtMs` is counted from 1970 here: the recording's first request is not known yet. It is 0 where there is no time. */
      exchange: Exchange;
      isTimed: boolean;
      isAnswered: boolean;
      /** Whether its Host header is not the host of its address. */
      isForOther: boolean;
      /** Names of the fields that could not be read and count as missing. */
      odd: readonly string[];
      /** Whether it has fields that only Chrome and its relatives write. */
      isChromes: boolean;
      /** The scenario that TLS Toll wrote into the first entry. */
      scenario: Scenario | null;
    }
  /** Something that no scenario can send; a sentence without the entry's number. */
  | { reason: string };

export function readHarEntry(value: unknown, number: number): HarEntry {
  const fields = new EntryFields();
  const entry = isRecord(value) ? value : {};
  const request = fields.record(entry.request, 'request') ?? {};
  const response = fields.record(entry.response, 'response');
  const sent = requestOf(request, fields, fields.text(entry._resourceType, '_resourceType'));
  if (sent.reason !== undefined) return { reason: sent.reason };
  const status = response === null ? null : fields.number(response.status, 'response.status');
  if (status !== null && (!Number.isInteger(status) || status < 100 || status > 599)) {
    return { reason: 'got no response: it was blocked, canceled, or failed' };
  }
  const unsent = whyUnsent(entry);
  if (unsent !== null) return { reason: unsent };
  const startedAtMs = fields.date(entry.startedDateTime ?? undefined, 'startedDateTime');
  const durationMs = Math.max(0, fields.number(entry.time, 'time') ?? 0);
  const received = responseOf(response ?? {}, fields);
  const { url, headers } = sent;
  const facts = { said: sent.said, mimeType: received.mimeType, path: url.pathname, requestHeaders: headers };
  const resourceType = resourceTypeOf(facts);
  const wait = isRecord(entry.timings) ? fields.number(entry.timings.wait, 'timings.wait') : null;
  const open = whyOpen({
    ...{ ...facts, query: url.search, isPage: resourceType === 'document', durationMs },
    waitMs: Math.max(0, wait ?? durationMs),
  });
  if (open !== null) return { reason: open };
  const { template, scenario } = ourFields(entry._tlsToll);
  const asTemplate = template ? (text: string) => text : escapeTemplate;
  const exchange: Exchange = {
    number,
    startedAtMs: startedAtMs ?? 0,
    durationMs,
    method: sent.method,
    origin: url.origin,
    path: asTemplate(pathOf(sent.address, url)),
    requestHeaders: headers.map(([name, value]) => [name, asTemplate(value)]),
    requestBody: sent.body === null ? null : asTemplate(sent.body),
    status: status ?? 200,
    responseHeaders: received.headers,
    responseBody: responseTextOf(received, resourceType),
    resourceType,
  };
  if (!exchangeSchema.safeParse(exchange).success) {
    return { reason: `has too many headers (${headers.length} and ${received.headers.length})` };
  }
  return {
    exchange,
    isTimed: startedAtMs !== null,
    isAnswered: status !== null,
    isForOther: isForOther(headerOf(headers, 'host'), url),
    odd: [...fields.odd],
    isChromes: '_initiator' in entry || '_priority' in entry,
    scenario,
  };
}

function requestOf(request: Record<string, unknown>, fields: EntryFields, said: string | null) {
  const address = fields.text(request.url, 'request.url');
  const url = URL.parse(address ?? '');
  if (address === null || url === null) return { reason: 'has an invalid address' };
  if (url.protocol === 'ws:' || url.protocol === 'wss:' || said === 'websocket') {
    return { reason: `is a WebSocket to ${url.host}, which scenarios do not support` };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { reason: `has a ${url.protocol} address, which needs no network` };
  }
  const written = fields.text(request.method, 'request.method');
  if (written === null) return { reason: 'has no method' };
  const method = methodSchema.safeParse(written);
  if (!method.success) return { reason: `uses the unsupported method ${written.slice(0, 20)}` };
  const given = fields.headers(request.headers, 'request.headers');
  const length = headerOf(given, 'content-length');
  // Programs agree on only one value of bodySize: the one for no body.
  const unrecorded = fields.number(request.bodySize, 'request.bodySize') ?? 0;
  const body = readPostData(
    request.postData,
    {
      length: length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : null,
      unrecorded: unrecorded > 0 ? unrecorded : null,
      type: headerOf(given, 'content-type') ?? null,
      isCompressed: /^(?!identity$)./i.test(headerOf(given, 'content-encoding') ?? ''),
    },
    fields,
  );
  if ('reason' in body) return body;
  return { address, url, said, method: method.data, headers: withType(given, body), body: body.text };
}

type Received = { headers: RecordedHeaders; mimeType: string; text: string | null; isBase64: boolean };

function responseOf(response: Record<string, unknown>, fields: EntryFields): Received {
  const headers = fields.headers(response.headers, 'response.headers');
  const content = fields.record(response.content, 'response.content') ?? {};
  const said = fields.text(content.mimeType, 'response.content.mimeType');
  return {
    headers,
    mimeType: said || (headerOf(headers, 'content-type') ?? ''),
    text: fields.text(content.text, 'response.content.text'),
    isBase64: content.encoding === 'base64',
  };
}

/** Why the server never got it, as the rest of a sentence; null when it did. */
function whyUnsent(entry: Record<string, unknown>): string | null {
  // Chrome's own fields, then Playwright's.
  if (entry._fromCache) return 'came from the browser cache, so nothing was sent';
  if (entry._fetchedViaServiceWorker === true)
    return 'was answered by a service worker of the page, not by the server';
  if (entry._wasFulfilled === true) return 'was answered by the recording test, so nothing was sent';
  return entry._wasAborted === true ? 'was stopped by the recording test, so nothing was sent' : null;
}

type Waiting = {
  said: string | null;
  mimeType: string;
  requestHeaders: RecordedHeaders;
  path: string;
  query: string;
  isPage: boolean;
  durationMs: number;
  waitMs: number;
};

/**
 * Why a run would wait for somebody else's event and not for the server's work, as the rest of a sentence; null for an
 * answer that a server gives as fast as it can.
 */
function whyOpen({
  said,
  mimeType,
  requestHeaders,
  path,
  query,
  isPage,
  durationMs,
  waitMs,
}: Waiting): string | null {
  const accept = headerOf(requestHeaders, 'accept') ?? '';
  const isStream = said === 'eventsource' || /^text\/event-stream/i.test(`${mimeType || accept}`);
  const kind = isStream ? 'an event stream' : streams.find(([type]) => type.test(mimeType))?.[1];
  if (kind !== undefined) {
    return `is ${kind}, which a run would wait for until the server ends it (${seconds(durationMs)} in the recording)`;
  }
  const shortestMs = /poll|comet|subscri|listen|events?\b/i.test(path + query) ? 5_000 : 15_000;
  return isPage || waitMs < shortestMs
    ? null
    : `is a long poll: the server held the answer back for ${seconds(waitMs)} in the recording, and a run would wait as long`;
}

function seconds(ms: number): string {
  return `${printNumber(ms / 1000, 1)} s`;
}

const streams: readonly (readonly [type: RegExp, kind: string])[] = [
  [
    /^application\/(?:x-)?(?:ndjson|json-seq|jsonlines|jsonl|stream\+json|json-stream)\b/i,
    'a stream of JSON lines',
  ],
  [/^multipart\/x-mixed-replace/i, 'a stream of pictures or parts'],
];

function isForOther(host: string | undefined, url: URL): boolean {
  return host !== undefined && URL.parse(`${url.protocol}//${host}`)?.host !== url.host;
}

/** Our own field of an entry. What is not of this version is as good as nothing. */
function ourFields(value: unknown): { template: boolean; scenario: Scenario | null } {
  if (!isRecord(value) || typeof value.template !== 'boolean') return { template: false, scenario: null };
  return { template: value.template, scenario: scenarioIn(value.scenario) };
}

/** It is written as a text, so that it counts as one value however many rows of data it has. */
function scenarioIn(text: unknown): Scenario | null {
  if (typeof text !== 'string') return null;
  try {
    return scenarioSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Letter by letter where a request can have it so: a parser of addresses would encode what others than browsers do not. */
function pathOf(written: string, { pathname, search }: URL): string {
  const [, tail = ''] = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(written) ?? [];
  const path = tail.startsWith('/') ? tail : `/${tail}`;
  return /^[!-~]+$/.test(path) ? path : pathname + search;
}

function withType(headers: RecordedHeaders, { text, type }: PostedBody): RecordedHeaders {
  if (text === null || type === null || headerOf(headers, 'content-type') !== undefined) return headers;
  return [...headers, ['content-type', type]];
}

const textTypes = /^text\/|[/+](json|xml|javascript|ecmascript|x-www-form-urlencoded)\b/i;

/** A script is searched if it is short: a long one is code, which no request sends back. */
function responseTextOf({ text: written, isBase64, mimeType }: Received, type: ResourceType): string | null {
  if (!written || !textTypes.test(mimeType)) return null;
  if (isStatic(type) && (type !== 'script' || written.length > longestScript)) return null;
  const most = recordingLimits.responseBodyLength;
  const text = isBase64 ? decodeBase64(written.slice(0, most * 2), false) : written;
  if (text === null || text.length <= most) return text;
  // A slice alone would keep the whole text in memory.
  return new TextDecoder().decode(new TextEncoder().encode(text.slice(0, most)));
}

const longestScript = 64 * 1024;

/** Body of a request: null for none. The type is null if the entry states none. */
type PostedBody = { text: string | null; type: string | null };

/** Other facts in an entry about the body that was sent. */
type SentBody = {
  /** Bytes, by the header Content-Length; null where there is none. */
  length: number | null;
  /** By the program that recorded it, which may count more than the body. Null for none. */
  unrecorded: number | null;
  /** By the header; null where there is none. */
  type: string | null;
  /** Whether it was sent compressed, which a HAR does not show. */
  isCompressed: boolean;
};

type Read = PostedBody | { reason: string };

/** The body of a request, or the rest of a sentence on why a scenario cannot send it. */
function readPostData(posted: unknown, sent: SentBody, fields: EntryFields): Read {
  const body = bodyIn(posted, sent, fields);
  if ('reason' in body) return body;
  const { length, unrecorded, isCompressed } = sent;
  const missing = length ?? unrecorded ?? 0;
  if (body.text === null && missing > 0)
    return { reason: `sends a body of ${missing} bytes that was not recorded` };
  if (body.text === null || body.text === '') return body;
  if (isCompressed) return { reason: 'sends a compressed body, which scenarios do not support' };
  const recorded = bytesOf(body.text);
  if (length !== null && length !== recorded)
    return { reason: `sends a body of ${length} bytes, but the HAR has one of ${recorded}` };
  return body;
}

function bodyIn(posted: unknown, sent: SentBody, fields: EntryFields): Read {
  const postData = fields.record(posted, 'request.postData');
  if (postData === null) return { text: null, type: null };
  const type = fields.text(postData.mimeType, 'request.postData.mimeType') || null;
  const text = fields.text(postData.text, 'request.postData.text');
  const params = fields.list(postData.params, 'request.postData.params').map((value, index) => {
    const at = `request.postData.params[${index}]`;
    const param = fields.record(value, at) ?? {};
    return {
      name: fields.text(param.name, at) ?? '',
      value: fields.text(param.value, at) ?? '',
      isFile: Boolean(fields.text(param.fileName, at)),
    };
  });
  if (params.some(({ isFile }) => isFile)) return { reason: 'uploads a file, which a HAR does not contain' };
  const isBase64 = postData.encoding === 'base64';
  if (text) {
    const read = readText(text, isBase64, type ?? sent.type);
    const isWhole = 'text' in read && (sent.length === null || bytesOf(read.text ?? '') === sent.length);
    if (isWhole || params.length === 0) return 'text' in read ? { ...read, type } : read;
  }
  return params.length === 0 ? { text: null, type } : bodyOfFields(params, type, sent);
}

type Field = { name: string; value: string };

/**
 * Programs keep the fields of a form decoded (Firefox) or as they were sent, and a body that is no form as one field
 * without a name or a value. The number of bytes that were sent tells which; without it, a body is taken only if all
 * readings of the fields are the same request.
 */
function bodyOfFields(params: readonly Field[], type: string | null, sent: SentBody): Read {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(type ?? sent.type ?? '');
  const whole = params.map(wholeOf).join('&');
  const raw = params.map(({ name, value }) => `${name}=${value}`).join('&');
  const pairs = params.map(({ name, value }) => [name, value]);
  const encoded = new URLSearchParams(pairs).toString();
  const isDocument = params.length === 1 && (params[0]?.name === '' || params[0]?.value === '');
  const texts = [
    ...(isForm || type === null ? [encoded, encoded.replaceAll('+', '%20')] : []),
    // A form that was sent has no spaces and nothing but ASCII.
    ...(!isForm || /^[!-~]*$/.test(raw) ? [raw] : []),
    ...(isDocument || !isForm ? [whole] : []),
  ];
  const known = sent.length ?? sent.unrecorded;
  const fitting = known === null ? undefined : texts.find((text) => bytesOf(text) === known);
  if (fitting !== undefined) return { text: fitting, type };
  if (sent.length === null && isDocument && /^\s*[{[<]/.test(whole)) return { text: whole, type };
  if (sent.length === null && isForm && isSameRequest(raw, encoded)) return { text: encoded, type };
  const what = (type ?? sent.type ?? 'unknown').split(';', 1)[0]?.slice(0, 60);
  const why =
    isForm && sent.length === null ? ', and without Content-Length its fields may mean two things' : '';
  return { reason: `sends a body of type ${what} whose text was not recorded${why}` };
}

/** A body that is no form, cut at its first `=` by a program that took it for one. */
function wholeOf({ name, value }: Field): string {
  return name === '' || value === '' ? name + value : `${name}=${value}`;
}

/** Whether fields mean the same decoded and as they were sent: nothing in them is percent-encoded. */
function isSameRequest(raw: string, encoded: string): boolean {
  return !/[%+]/.test(raw) || encoded === raw;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function readText(written: string, isBase64: boolean, type: string | null): Read {
  const text = isBase64 ? decodeBase64(written, true) : written;
  if (text === null || text.includes('\ufffd') || !text.isWellFormed()) {
    return { reason: 'sends a binary body, which scenarios do not support' };
  }
  const boundary = /^multipart\/.*\bboundary="?([^";]+)/is.exec(type ?? '')?.[1];
  if (boundary !== undefined && !text.includes(`--${boundary}`)) {
    return { reason: 'sends a multipart body that was not recorded as it was sent' };
  }
  if (boundary !== undefined && text.split(`--${boundary}`).some(isEmptyFile)) {
    return { reason: 'uploads a file, which a HAR does not contain' };
  }
  return { text, type };
}

/** Chrome records the head of a file and not what is in it. */
function isEmptyFile(part: string): boolean {
  const end = part.search(/\r?\n\r?\n/);
  const head = end < 0 ? part : part.slice(0, end);
  return /;[ \t]*filename\*?=(?!"")/i.test(head) && (end < 0 || part.slice(end).trim() === '');
}

/**
 * The text whose UTF-8 is written in base64; null when it is none.
 *
 * @param isWhole whether what is cut off at its end is none either
 */
function decodeBase64(text: string, isWhole: boolean): string | null {
  try {
    return fromBytes(atob(isWhole ? text : text.slice(0, text.length - (text.length % 4))), isWhole);
  } catch {
    return null;
  }
}
