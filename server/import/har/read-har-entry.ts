import { z } from 'zod';
import {
  type Exchange,
  exchangeSchema,
  type RecordedHeaders,
  recordingLimits,
} from '../../../shared/recording.ts';
import { methodSchema } from '../../../shared/scenario.ts';
import { isStatic, resourceTypeOf } from '../../traffic/resource-type.ts';

/**
 * One entry of a HAR 1.2 as Chrome, Firefox and Playwright write it.
 * Source: http://www.softwareishard.com/blog/har-12-spec, and the exports of those three.
 */
export type HarEntry =
  | { exchange: HarExchange }
  /** Something that no scenario can send; a sentence without the entry's number. */
  | { reason: string };

/** `startedAtMs` is counted from 1970 here: the recording's first request is not known yet. */
export type HarExchange = Exchange;

export function readHarEntry(value: unknown, number: number): HarEntry {
  const parsed = entrySchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { reason: `is not a HAR entry: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` };
  }
  const { request, response, startedDateTime, time } = parsed.data;
  const url = URL.parse(request.url);
  if (url === null) return { reason: 'has an invalid address' };
  if (url.protocol === 'ws:' || url.protocol === 'wss:' || parsed.data._resourceType === 'websocket') {
    return { reason: `is a WebSocket to ${url.host}, which scenarios do not support` };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { reason: `has a ${url.protocol} address, which needs no network` };
  }
  const method = methodSchema.safeParse(request.method.toUpperCase());
  if (!method.success) return { reason: `uses the unsupported method ${request.method.slice(0, 20)}` };
  if (response.status < 100 || response.status > 599) {
    return { reason: 'got no response: it was blocked, canceled, or failed' };
  }
  const startedAtMs = Date.parse(startedDateTime);
  if (Number.isNaN(startedAtMs)) return { reason: 'has an invalid startedDateTime' };
  const requestHeaders = headersOf(request.headers);
  const body = bodyOf(request.postData);
  if ('reason' in body) return body;
  const responseHeaders = headersOf(response.headers);
  const mimeType = response.content.mimeType ?? '';
  const resourceType = resourceTypeOf({
    said: parsed.data._resourceType,
    mimeType,
    path: url.pathname,
    requestHeaders,
  });
  const exchange: HarExchange = {
    number,
    startedAtMs,
    durationMs: Math.max(0, Number.isFinite(time) ? time : 0),
    method: method.data,
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    requestHeaders,
    requestBody: body.text,
    status: response.status,
    responseHeaders,
    // No later request sends back what a static file brought.
    responseBody: isStatic(resourceType) ? null : responseTextOf(response.content, mimeType),
    resourceType,
  };
  const checked = exchangeSchema.safeParse(exchange);
  return checked.success
    ? { exchange }
    : { reason: `has too many headers (${requestHeaders.length} and ${responseHeaders.length})` };
}

const nameValueSchema = z.object({ name: z.string(), value: z.string() });
const contentSchema = z.object({
  mimeType: z.string().nullish(),
  text: z.string().nullish(),
  encoding: z.string().nullish(),
});
const postDataSchema = z.object({
  mimeType: z.string().nullish(),
  text: z.string().nullish(),
  encoding: z.string().nullish(),
  params: z
    .array(z.object({ name: z.string(), value: z.string().nullish(), fileName: z.string().nullish() }))
    .nullish(),
});
type PostData = z.infer<typeof postDataSchema>;

const entrySchema = z.object({
  startedDateTime: z.string(),
  time: z
    .number()
    .nullish()
    .transform((time) => time ?? 0),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.array(nameValueSchema).nullish(),
    postData: postDataSchema.nullish(),
  }),
  response: z.object({
    status: z.int(),
    headers: z.array(nameValueSchema).nullish(),
    content: contentSchema.nullish().transform((content) => content ?? {}),
  }),
  /** Chrome's own. */
  _resourceType: z.string().nullish(),
});

/** HTTP/2 shows the request line as headers whose names start with a colon. */
function headersOf(headers: { name: string; value: string }[] | null | undefined): RecordedHeaders {
  return (headers ?? [])
    .filter(({ name }) => name !== '' && !name.startsWith(':'))
    .map(({ name, value }) => [name, value]);
}

function bodyOf(postData: PostData | null | undefined): { text: string | null } | { reason: string } {
  if (!postData) return { text: null };
  const { text, params, mimeType } = postData;
  if (params?.some(({ fileName }) => typeof fileName === 'string' && fileName !== '')) {
    return { reason: 'uploads a file, which a HAR does not contain' };
  }
  if (text && text !== '') {
    if (postData.encoding === 'base64' || text.includes('�')) {
      return { reason: 'sends a binary body, which scenarios do not support' };
    }
    return { text };
  }
  if (!params || params.length === 0) return { text: null };
  if (mimeType?.startsWith('multipart/'))
    return { reason: 'sends a multipart body whose text was not recorded' };
  // Firefox gives a form as fields only, decoded.
  return { text: new URLSearchParams(params.map(({ name, value }) => [name, value ?? ''])).toString() };
}

const textTypes = /^text\/|[/+](json|xml|javascript|ecmascript|x-www-form-urlencoded)\b/i;

function responseTextOf(content: z.infer<typeof contentSchema>, mimeType: string): string | null {
  if (!content.text || !textTypes.test(mimeType)) return null;
  const text =
    content.encoding === 'base64'
      ? decodeBase64(content.text.slice(0, recordingLimits.responseBodyLength * 2))
      : content.text;
  if (text === null || text.length <= recordingLimits.responseBodyLength) return text;
  // A slice alone would keep the whole text in memory.
  return new TextDecoder().decode(
    new TextEncoder().encode(text.slice(0, recordingLimits.responseBodyLength)),
  );
}

/** Null when it is none. */
function decodeBase64(text: string): string | null {
  try {
    const bytes = atob(text.slice(0, text.length - (text.length % 4)));
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return null;
  }
}
