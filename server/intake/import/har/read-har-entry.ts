import { z } from 'zod';
import {
  type Exchange,
  exchangeSchema,
  headerOf,
  type RecordedHeaders,
  recordingLimits,
} from '../../../../shared/scenario/recording.ts';
import { methodSchema, type Scenario, scenarioSchema } from '../../../../shared/scenario/scenario.ts';
import { escapeTemplate } from '../../scenario/template.ts';
import { isStatic, resourceTypeOf } from '../../traffic/resource-type.ts';
import { decodeBase64 } from './decode-base64.ts';
import { type PostedBody, postDataSchema, readPostData, type SentBody } from './read-post-data.ts';

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
      /** What TLS Toll wrote into the first entry. */
      scenario: Scenario | null;
    }
  /** Something that no scenario can send; a sentence without the entry's number. */
  | { reason: string };

export function readHarEntry(value: unknown, number: number): HarEntry {
  const parsed = entrySchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { reason: `is not a HAR entry: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` };
  }
  const { request, startedDateTime, time } = parsed.data;
  const response = parsed.data.response ?? unanswered;
  const url = URL.parse(request.url);
  if (url === null) return { reason: 'has an invalid address' };
  if (url.protocol === 'ws:' || url.protocol === 'wss:' || parsed.data._resourceType === 'websocket') {
    return { reason: `is a WebSocket to ${url.host}, which scenarios do not support` };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { reason: `has a ${url.protocol} address, which needs no network` };
  }
  const method = methodSchema.safeParse(request.method);
  if (!method.success) return { reason: `uses the unsupported method ${request.method.slice(0, 20)}` };
  if (response.status < 100 || response.status > 599) {
    return { reason: 'got no response: it was blocked, canceled, or failed' };
  }
  const unsent = whyUnsent(parsed.data);
  if (unsent !== null) return { reason: unsent };
  const startedAtMs = startedDateTime == null ? null : Date.parse(startedDateTime);
  if (Number.isNaN(startedAtMs)) return { reason: 'has an invalid startedDateTime' };
  const body = readPostData(request.postData, sentBodyOf(request));
  if ('reason' in body) return body;
  const requestHeaders = withType(headersOf(request.headers), body);
  const responseHeaders = headersOf(response.headers);
  const mimeType = response.content.mimeType || (headerOf(responseHeaders, 'content-type') ?? '');
  const resourceType = resourceTypeOf({
    said: parsed.data._resourceType,
    mimeType,
    path: url.pathname,
    requestHeaders,
  });
  const ours = parsed.data._tlsToll;
  const asTemplate = ours?.template ? (text: string) => text : escapeTemplate;
  const exchange: Exchange = {
    number,
    startedAtMs: startedAtMs ?? 0,
    durationMs: Math.max(0, Number.isFinite(time) ? time : 0),
    method: method.data,
    origin: url.origin,
    path: asTemplate(pathOf(request.url, url)),
    requestHeaders: requestHeaders.map(([name, value]) => [name, asTemplate(value)]),
    requestBody: body.text === null ? null : asTemplate(body.text),
    status: response.status,
    responseHeaders,
    // No later request sends back what a static file brought.
    responseBody: isStatic(resourceType) ? null : responseTextOf(response.content, mimeType),
    resourceType,
  };
  const checked = exchangeSchema.safeParse(exchange);
  return checked.success
    ? {
        exchange,
        isTimed: startedAtMs !== null,
        isAnswered: parsed.data.response != null,
        isForOther: isForOther(headerOf(requestHeaders, 'host'), url),
        scenario: scenarioIn(ours?.scenario),
      }
    : { reason: `has too many headers (${requestHeaders.length} and ${responseHeaders.length})` };
}

const nameValueSchema = z.object({ name: z.string(), value: z.string() });
const contentSchema = z.object({
  mimeType: z.string().nullish(),
  text: z.string().nullish(),
  encoding: z.string().nullish(),
});
const entrySchema = z.object({
  startedDateTime: z.string().nullish(),
  time: z
    .number()
    .nullish()
    .transform((time) => time ?? 0),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.array(nameValueSchema).nullish(),
    postData: postDataSchema.nullish(),
    bodySize: z.number().nullish().catch(null),
  }),
  response: z
    .object({
      status: z.int(),
      headers: z.array(nameValueSchema).nullish(),
      content: contentSchema.nullish().transform((content) => content ?? {}),
    })
    .nullish(),
  /** Chrome's own. */
  _resourceType: z.string().nullish(),
  _fromCache: z.string().nullish().catch(null),
  _fetchedViaServiceWorker: z.boolean().nullish().catch(null),
  /** Playwright's own. */
  _wasFulfilled: z.boolean().nullish().catch(null),
  _wasAborted: z.boolean().nullish().catch(null),
  /** Ours. What is not of this version is as good as nothing. */
  _tlsToll: z.object({ template: z.boolean(), scenario: z.string().optional() }).optional().catch(undefined),
});

/** Why the server never got it, as the rest of a sentence; null when it did. */
function whyUnsent(entry: z.infer<typeof entrySchema>): string | null {
  if (entry._fromCache) return 'came from the browser cache, so nothing was sent';
  if (entry._fetchedViaServiceWorker)
    return 'was answered by a service worker of the page, not by the server';
  if (entry._wasFulfilled) return 'was answered by the recording test, so nothing was sent';
  return entry._wasAborted ? 'was stopped by the recording test, so nothing was sent' : null;
}

function isForOther(host: string | undefined, url: URL): boolean {
  return host !== undefined && URL.parse(`${url.protocol}//${host}`)?.host !== url.host;
}

function sentBodyOf({ headers, bodySize }: z.infer<typeof entrySchema>['request']): SentBody {
  const given = headersOf(headers);
  const length = headerOf(given, 'content-length');
  const isKnown = length !== undefined && /^\d{1,15}$/.test(length);
  // Of bodySize, programs agree only on what stands for none.
  const unrecorded = (bodySize ?? 0) > 0 ? (bodySize ?? 0) : null;
  return {
    length: isKnown ? Number(length) : null,
    unrecorded,
    isCompressed: /^(?!identity$)./i.test(headerOf(given, 'content-encoding') ?? ''),
  };
}

/** It is written as a text, so that it counts as one value however many rows of data it has. */
function scenarioIn(text: string | undefined): Scenario | null {
  if (text === undefined) return null;
  try {
    return scenarioSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** What a request that was only sent is taken to get. */
const unanswered = { status: 200, headers: [], content: { mimeType: '', text: null, encoding: null } };

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

/** HTTP/2 shows the request line as headers whose names start with a colon. */
function headersOf(headers: { name: string; value: string }[] | null | undefined): RecordedHeaders {
  return (headers ?? [])
    .filter(({ name }) => name !== '' && !name.startsWith(':'))
    .map(({ name, value }) => [name, value]);
}

const textTypes = /^text\/|[/+](json|xml|javascript|ecmascript|x-www-form-urlencoded)\b/i;

function responseTextOf(content: z.infer<typeof contentSchema>, mimeType: string): string | null {
  if (!content.text || !textTypes.test(mimeType)) return null;
  const text =
    content.encoding === 'base64'
      ? decodeBase64(content.text.slice(0, recordingLimits.responseBodyLength * 2), false)
      : content.text;
  if (text === null || text.length <= recordingLimits.responseBodyLength) return text;
  // A slice alone would keep the whole text in memory.
  return new TextDecoder().decode(
    new TextEncoder().encode(text.slice(0, recordingLimits.responseBodyLength)),
  );
}
