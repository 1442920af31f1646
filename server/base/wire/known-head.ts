import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

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
