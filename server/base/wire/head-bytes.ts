import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { RequestOutcome } from '../../../shared/base/outcome.ts';

/** Bytes of an HTTP/1.1 head, looked at where they lie: nothing is copied and no string is made. */

const cr = 13;
const lf = 10;
const space = 32;

/** Offset after the empty line that ends the head, or -1. */
export function findHeadEnd(bytes: Buffer, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    if (bytes[at] !== lf) continue;
    const before = bytes[at - 1];
    if (before === lf || (before === cr && at - 2 >= from && bytes[at - 2] === lf)) return at + 1;
  }
  return -1;
}

export function nextLine(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] !== lf) at++;
  return at + 1;
}

/** End of the line before `next`, without its CRLF or LF. */
export function lineEnd(bytes: Buffer, next: number): number {
  return bytes[next - 2] === cr ? next - 2 : next - 1;
}

export function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === 9;
}

/** Separators between the parts of a value: blanks, and in a folded value also the ends of its lines. */
export function isGap(byte: number | undefined): boolean {
  return isBlank(byte) || byte === cr || byte === lf;
}

export function digit(bytes: Buffer, at: number): number {
  const value = (bytes[at] ?? 0) - 48;
  return value >= 0 && value <= 9 ? value : -1;
}

export function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** Compares without regard to case; `expected` is lower case and holds no byte that case folding would confuse. */
export function matches(bytes: Buffer, from: number, expected: Buffer): boolean {
  for (let i = 0; i < expected.length; i++) {
    const byte = bytes[from + i] ?? 0;
    const lower = byte >= 65 && byte <= 90 ? byte | 32 : byte;
    if (lower !== expected[i]) return false;
  }
  return true;
}

export function containsToken(bytes: Buffer, from: number, to: number, token: Buffer): boolean {
  for (let at = from; at + token.length <= to; at++) {
    if (
      matches(bytes, at, token) &&
      isEdge(bytes, at - 1, from, to) &&
      isEdge(bytes, at + token.length, from, to)
    ) {
      return true;
    }
  }
  return false;
}

export function endsWithToken(bytes: Buffer, from: number, to: number, token: Buffer): boolean {
  let end = to;
  while (end > from && isGap(bytes[end - 1])) end--;
  const at = end - token.length;
  return at >= from && matches(bytes, at, token) && isEdge(bytes, at - 1, from, to);
}

function isEdge(bytes: Buffer, at: number, from: number, to: number): boolean {
  return at < from || at >= to || bytes[at] === 44 || isGap(bytes[at]);
}

/**
 * The application's own time in a Server-Timing field, in µs: `dur`, in ms, of the metric `app`; -1 without one that is a time. Names are
 * compared whole and without regard to case; the first `app` with a time counts, and in it the first `dur`. A field of several lines is
 * read line by line. Sources: Server Timing (W3C), section 3; RFC 9110, sections 5.6.1 to 5.6.6.
 */
export function readApplicationTime(bytes: Buffer, from: number, to: number): number {
  const plain = readPlain(bytes, from, to);
  return plain >= 0 ? plain : readList(bytes.toString('latin1', from, to));
}

function readList(field: string): number {
  let [delimiter, isApplication, isDuration] = [',', false, false];
  let ms: number | null = null;
  for (const [lexeme, quoted] of field.matchAll(lexemes)) {
    if (lexeme === ',') {
      if (isApplication && isTime(ms)) break;
      [ms, isDuration] = [null, false];
    } else if (delimiter === ',') isApplication = lexeme.toLowerCase() === 'app';
    else if (delimiter === ';') isDuration = lexeme.toLowerCase() === 'dur' && ms === null;
    else if (delimiter === '=' && isDuration) ms = Number.parseFloat((quoted ?? lexeme).replaceAll('\\', ''));
    delimiter = delimiters.has(lexeme) ? lexeme : '';
  }
  return isApplication && isTime(ms) ? ms * 1000 : -1;
}

/** A string without an end goes on to the end of the line, so that reading takes one pass. */
const lexemes = /"((?:[^"\\]|\\.)*)"?|[^",;=\s]+|[,;=]/gs;
const delimiters = new Set([',', ';', '=']);

/** More than a day is a mistake of the application's. */
const longestMs = 86_400_000;

function isTime(ms: number | null): ms is number {
  return ms !== null && ms >= 0 && ms <= longestMs;
}

const plainStart = Buffer.from('app;dur=');
const mostDigits = 15;

/** The field `app;dur=1.234` and nothing else, which most applications send: read as bytes, it costs a thirtieth. -1 for any other. */
function readPlain(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] === 32) at++;
  const valueFrom = at + plainStart.length;
  if (to - valueFrom < 1 || to - valueFrom > mostDigits) return -1;
  for (let i = 0; i < plainStart.length; i++) if (bytes[at + i] !== plainStart[i]) return -1;
  let [value, unit] = [0, 0];
  for (at = valueFrom; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 46 && unit === 0) unit = 1;
    else if (byte >= 48 && byte <= 57) {
      value = value * 10 + byte - 48;
      unit *= 10;
    } else return -1;
  }
  const ms = unit === 0 ? value : value / unit;
  return isTime(ms) && unit !== 1 ? ms * 1000 : -1;
}

/** More of a body is not kept: checks and extraction are for pages, not for downloads. */
export const mostKeptBytes = 10 * 1024 * 1024;
/** A store that has grown beyond this is given back with the next response. */
const mostIdleBytes = 1024 * 1024;
const firstBytes = 16 * 1024;
const nothing = Buffer.alloc(0);

/** Bytes of a response that somebody wants to look at, copied out of the receive buffer. The store is used again. */
export class KeptBytes {
  #store: Buffer = nothing;
  #length = 0;

  /** Good until the next `clear`. */
  get bytes(): Buffer {
    return this.#store.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#store.length > mostIdleBytes) this.#store = nothing;
  }

  append(source: Buffer, from: number, to: number): void {
    const taken = Math.min(to - from, mostKeptBytes - this.#length);
    if (this.#length + taken > this.#store.length) this.#grow(this.#length + taken);
    source.copy(this.#store, this.#length, from, from + taken);
    this.#length += taken;
  }

  #grow(needed: number): void {
    const store = Buffer.allocUnsafeSlow(Math.max(firstBytes, needed, this.#store.length * 2));
    this.bytes.copy(store);
    this.#store = store;
  }
}

/** The response goes on; give it more bytes. */
export const incomplete = 0;
/** The response ended with the last byte given. */
export const complete = 1;
/** Not the protocol, or more or less than was announced: `failure` says which. */
export const malformed = 2;
export type Reading = typeof incomplete | typeof complete | typeof malformed;

/** A field of a head; its name is in lower case. */
export type Field = readonly [name: string, value: string];

export type Failure = {
  outcome: RequestOutcome;
  detail: string;
  /** The server has said that it did nothing with the request, so that it may be sent again, whatever its method. */
  untouched?: true;
};

export const tooShort: Failure = {
  outcome: 'body_too_short',
  detail: 'the body is shorter than its Content-Length',
};
export const cutOff: Failure = {
  outcome: 'connection_closed_early',
  detail: 'the server closed the connection in the middle of a response',
};

export function parseField(line: string): Field {
  const colon = line.indexOf(':');
  let [from, to] = [colon + 1, line.length];
  while (isSpace(line[from])) from += 1;
  while (to > from && isSpace(line[to - 1])) to -= 1;
  return [line.slice(0, colon).toLowerCase(), line.slice(from, to)];
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/**
 * The last head that a step's responses began with, and what it said. Servers mostly write the same bytes again, but
 * for the date once a second, and comparing them is faster than reading them. Shared by all users of a lane.
 */
export class KnownHead {
  status = 0;
  keepAlive = true;
  executionUs = -1;
  chunked = false;
  bodyLength = -1;
  /** 0: nothing is known. */
  length = 0;
  #bytes: Buffer = Buffer.alloc(0);
  #words = wordsOf(this.#bytes);
  #strangers = 0;

  matches(bytes: Buffer, from: number, to: number): boolean {
    const end = from + this.length;
    if (this.length === 0 || end > to) return false;
    if (!this.#isAt(bytes, from, end)) return false;
    this.#strangers = 0;
    return true;
  }

  /** A head mostly begins where the buffer does. Its words are then compared here: calling the runtime for it costs twice as much. */
  #isAt(bytes: Buffer, from: number, end: number): boolean {
    if (from !== 0 || bytes.byteOffset % 4 !== 0)
      return bytes.compare(this.#bytes, 0, this.length, from, end) === 0;
    if (bytes !== latest.bytes) latest = { bytes, words: wordsOf(bytes) };
    const { words } = latest;
    const whole = this.length >> 2;
    for (let at = 0; at < whole; at++) if (words[at] !== this.#words[at]) return false;
    for (let at = whole << 2; at < this.length; at++) if (bytes[at] !== this.#bytes[at]) return false;
    return true;
  }

  /** Takes the bytes of a head over; false when this server writes something new into every head. */
  replace(bytes: Buffer, from: number, end: number): boolean {
    const length = end - from;
    if (++this.#strangers > patience || length > longest) {
      this.length = 0;
      return false;
    }
    if (length > this.#bytes.length) {
      this.#bytes = Buffer.allocUnsafeSlow(length);
      this.#words = wordsOf(this.#bytes);
    }
    bytes.copy(this.#bytes, 0, from, end);
    this.length = length;
    return true;
  }
}

/** The buffer that was compared with last, which all connections of a process read into. */
let latest: { bytes: Buffer; words: Int32Array } = { bytes: Buffer.alloc(0), words: new Int32Array(0) };

function wordsOf(bytes: Buffer): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

/** Heads in a row that were not like the one before them; with several users each second has some. */
const patience = 64;
const longest = 4096;

/**
 * The body without its content codings; null when it is not what Content-Encoding says or grows beyond `mostBytes`.
 * A coding that is not known is left alone: what was asked for is then found in the bytes as they are, or not.
 */
export function decodeBody(body: Buffer, contentEncoding: string, mostBytes: number): Buffer | null {
  const codings = contentEncoding.toLowerCase().split(',').reverse();
  let decoded = body;
  for (const coding of codings) {
    const decode = decoders[coding.trim()];
    if (decode === undefined || decoded.length === 0) continue;
    try {
      decoded = decode(decoded, { maxOutputLength: mostBytes });
    } catch {
      return null;
    }
  }
  return decoded;
}

type Decode = (bytes: Buffer, limit: { maxOutputLength: number }) => Buffer;

const decoders: Record<string, Decode> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};
