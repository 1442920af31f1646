import { z } from 'zod';
import { decodeBase64 } from './decode-base64.ts';

export const postDataSchema = z.object({
  mimeType: z.string().nullish(),
  text: z.string().nullish(),
  encoding: z.string().nullish(),
  params: z
    .array(z.object({ name: z.string(), value: z.string().nullish(), fileName: z.string().nullish() }))
    .nullish(),
});
type PostData = z.infer<typeof postDataSchema>;

/** What a request sends: null for nothing. The type is null where the entry says none. */
export type PostedBody = { text: string | null; type: string | null };

/** What else an entry says of the body that was sent. */
export type SentBody = {
  /** Bytes, by the header Content-Length; null where there is none. */
  length: number | null;
  /** By the program that recorded it, which may count more than the body. Null for none. */
  unrecorded: number | null;
  /** Whether it was sent compressed, which a HAR does not show. */
  isCompressed: boolean;
};

/** The body of a request, or the rest of a sentence on why a scenario cannot send it. */
export function readPostData(
  postData: PostData | null | undefined,
  { length, unrecorded, isCompressed }: SentBody,
): PostedBody | { reason: string } {
  const body = bodyIn(postData);
  if ('reason' in body) return body;
  const missing = length ?? unrecorded ?? 0;
  if (body.text === null && missing > 0)
    return { reason: `sends a body of ${missing} bytes that was not recorded` };
  if (body.text === null || body.text === '') return body;
  if (isCompressed) return { reason: 'sends a compressed body, which scenarios do not support' };
  const recorded = new TextEncoder().encode(body.text).length;
  if (length !== null && length !== recorded)
    return { reason: `sends a body of ${length} bytes, but the HAR has one of ${recorded}` };
  return body;
}

function bodyIn(postData: PostData | null | undefined): PostedBody | { reason: string } {
  if (!postData) return { text: null, type: null };
  const type = postData.mimeType || null;
  if (postData.params?.some(({ fileName }) => typeof fileName === 'string' && fileName !== '')) {
    return { reason: 'uploads a file, which a HAR does not contain' };
  }
  if (postData.text) return readText(postData.text, postData.encoding === 'base64', type);
  const { params } = postData;
  if (!params || params.length === 0) return { text: null, type };
  if (type !== null && !/^application\/x-www-form-urlencoded\b/i.test(type)) {
    return {
      reason: `sends a body of type ${type.split(';', 1)[0]?.slice(0, 60)} whose text was not recorded`,
    };
  }
  // Firefox gives a form as fields only, decoded.
  return { text: new URLSearchParams(params.map(({ name, value }) => [name, value ?? ''])).toString(), type };
}

function readText(written: string, isBase64: boolean, type: string | null): PostedBody | { reason: string } {
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
