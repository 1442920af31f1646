import { decodeBase64 } from './decode-base64.ts';
import type { EntryFields } from './entry-fields.ts';

/** What a request sends: null for nothing. The type is null where the entry says none. */
export type PostedBody = { text: string | null; type: string | null };

/** What else an entry says of the body that was sent. */
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
export function readPostData(posted: unknown, sent: SentBody, fields: EntryFields): Read {
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
