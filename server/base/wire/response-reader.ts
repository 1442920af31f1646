import {
  complete,
  containsToken,
  cutOff,
  digit,
  endsWithToken,
  type Failure,
  type Field,
  findHeadEnd,
  hexDigit,
  incomplete,
  isBlank,
  isGap,
  KeptBytes,
  type KnownHead,
  lineEnd,
  malformed,
  matches,
  nextLine,
  parseField,
  type Reading,
  readApplicationTime,
  tooShort,
} from './head-bytes.ts';

/**
 * Reads one HTTP/1.1 response after another from the bytes of a connection, heads as servers write them: lines that end with LF
 * alone, folded lines, HTTP/1.0. It frames and counts: status, body length,
 * whether the connection stays open, and the application's own time from Server-Timing. It keeps the head or the body
 * only when it is asked to; else it allocates nothing for a response whose head arrives in one piece.
 * One instance serves a connection for life. Source of the rules: RFC 9112, sections 2 to 7 and 9.
 */

export const notHttp1: Failure = {
  outcome: 'malformed_response',
  detail: 'the response is not valid HTTP/1.1',
};
const headTooLong: Failure = {
  outcome: 'malformed_response',
  detail: 'the head of the response is longer than 256 KiB',
};
const wrongLength: Failure = {
  outcome: 'malformed_response',
  detail: 'the response has an invalid Content-Length, or more than one',
};
const wrongChunk: Failure = {
  outcome: 'malformed_response',
  detail: 'the response has a chunk without a valid size',
};
export const switched: Failure = {
  outcome: 'malformed_response',
  detail: 'it answered 101 Switching Protocols to an ordinary request',
};
const tooLong: Failure = {
  outcome: 'body_too_long',
  detail: 'there are bytes after the end of the response',
};

/** Several times the limit of most servers: a head contains cookies, policies, and tokens. */
const headLimit = 262_144;
const firstPending = 16_384;
const trailerLimit = 65_536;

const inHead = 0;
const inLength = 1;
const untilClose = 2;
const chunkSize = 3;
const chunkExtension = 4;
const chunkSizeEnd = 5;
const chunkBytes = 6;
const chunkEnd = 7;
const chunkEndFeed = 8;
const trailerStart = 9;
const trailerLine = 10;
const trailerLineFeed = 11;
const lastFeed = 12;
const atRest = 13;

const cr = 13;
const lf = 10;
const needsMore = -1;
const broken = -2;
const overlong = -3;
const space = 32;
const colonByte = 58;
const semicolon = 59;
const statusPrefix = Buffer.from('HTTP/1.');
const contentLength = Buffer.from('content-length');
const transferEncoding = Buffer.from('transfer-encoding');
const connection = Buffer.from('connection');
const serverTiming = Buffer.from('server-timing');
const chunkedToken = Buffer.from('chunked');
const closeToken = Buffer.from('close');
const keepAliveToken = Buffer.from('keep-alive');

export class ResponseReader {
  status = 0;
  /** The server keeps the connection open after this response. */
  keepAlive = true;
  bodyBytes = 0;
  /** Server-Timing's app;dur in µs; -1 when absent. */
  executionUs = -1;
  /** The problem, after the reading `malformed`. */
  failure: Failure = notHttp1;
  /** Parts of the response under way that were kept, until the next one begins. */
  readonly keptHead = new KeptBytes();
  readonly keptBody: KeptBytes;
  /** Minor version of HTTP/1.x. */
  minor = 1;

  #state = atRest;
  #bodyless = false;
  #remaining = 0;
  #sizeDigits = 0;
  #trailerBytes = 0;
  #pending: Buffer | null = null;
  #pendingLength = 0;
  #chunked = false;
  #length = -1;
  #saysClose = false;
  #saysKeepAlive = false;
  #known: KnownHead | null = null;
  #keepsHead = false;
  #keepsBody = false;
  /** Reason why the head cannot be read. */
  #wrong: Failure = notHttp1;

  constructor(keptBody = new KeptBytes()) {
    this.keptBody = keptBody;
  }

  /**
   * Call before the bytes of each response; `bodyless` for the answer to HEAD.
   * @param known the head that this response will probably begin with
   * @param keepsHead whether the final head is kept, as it came
   * @param keepsBody whether the body is kept, free of chunks
   */
  begin(bodyless: boolean, known: KnownHead | null = null, keepsHead = false, keepsBody = false): void {
    this.#known = known;
    this.#keepsHead = keepsHead;
    this.#keepsBody = keepsBody;
    if (keepsHead) this.keptHead.clear();
    if (keepsBody) this.keptBody.clear();
    this.#state = inHead;
    this.#bodyless = bodyless;
    this.#pendingLength = 0;
    this.bodyBytes = 0;
    this.executionUs = -1;
    this.status = 0;
  }

  /** Whether any byte of the response has been read. */
  get started(): boolean {
    return this.#state !== inHead || this.#pendingLength > 0;
  }

  /** Whether the final head has been read. */
  get headed(): boolean {
    return this.#state !== inHead;
  }

  /** Fields of the kept head; names are in lower case. */
  get headers(): Field[] {
    const text = this.keptHead.bytes.toString('latin1').replace(/\r?\n(?=[ \t])/g, '');
    const [, ...lines] = text.split(/\r?\n/);
    return lines.filter((line) => line !== '').map(parseField);
  }

  read(bytes: Buffer, length: number): Reading {
    let at = 0;
    while (this.#state === inHead) {
      const next = this.#readHead(bytes, at, length);
      if (next === needsMore) return incomplete;
      if (next < 0) return this.#refuse(next === overlong ? headTooLong : this.#wrong);
      at = next;
    }
    if (this.#state === inLength) return this.#readLength(bytes, at, length);
    if (this.#state === untilClose) {
      this.#takeBody(bytes, at, length);
      return incomplete;
    }
    if (this.#state === atRest) return at === length ? complete : this.#refuse(tooLong);
    return this.#readChunks(bytes, at, length);
  }

  /** The peer has closed its side: an end for a response without a length, a truncation for any other. */
  close(): Reading {
    if (this.#state !== untilClose) return this.#refuse(this.#state === inLength ? tooShort : cutOff);
    this.#state = atRest;
    return complete;
  }

  #refuse(failure: Failure): Reading {
    this.keepAlive = false;
    this.failure = failure;
    return malformed;
  }

  #takeBody(bytes: Buffer, from: number, to: number): void {
    this.bodyBytes += to - from;
    if (this.#keepsBody) this.keptBody.append(bytes, from, to);
  }

  #readLength(bytes: Buffer, from: number, to: number): Reading {
    const available = to - from;
    if (available > this.#remaining) return this.#refuse(tooLong);
    this.#takeBody(bytes, from, to);
    this.#remaining -= available;
    if (this.#remaining > 0) return incomplete;
    this.#state = atRest;
    return complete;
  }

  /** Returns the offset after the head, or `needsMore`, `broken` or `overlong`. */
  #readHead(bytes: Buffer, from: number, to: number): number {
    if (this.#pendingLength > 0) return this.#readSplitHead(bytes, from, to);
    const known = this.#known;
    if (known !== null && this.#isKnownHead(known, bytes, from, to)) {
      if (this.#keepsHead) this.keptHead.append(bytes, from, from + known.length);
      return from + known.length;
    }
    const end = findHeadEnd(bytes, from, to);
    if (end < 0) return this.#holdBack(bytes, from, to);
    if (end - from > headLimit) return overlong;
    if (!this.#parseHead(bytes, from, end)) return broken;
    if (known !== null) this.#remember(known, bytes, from, end);
    return end;
  }

  /** A head that is known means again what it meant before. */
  #isKnownHead(known: KnownHead, bytes: Buffer, from: number, to: number): boolean {
    if (!known.matches(bytes, from, to)) return false;
    this.status = known.status;
    this.keepAlive = known.keepAlive;
    this.executionUs = known.executionUs;
    this.#chunked = known.chunked;
    this.#length = known.bodyLength;
    return this.#chooseFraming();
  }

  #remember(known: KnownHead, bytes: Buffer, from: number, end: number): void {
    if (this.status < 200 || !known.replace(bytes, from, end)) return;
    known.status = this.status;
    known.keepAlive = this.keepAlive;
    known.executionUs = this.executionUs;
    known.chunked = this.#chunked;
    known.bodyLength = this.#length;
  }

  #holdBack(bytes: Buffer, from: number, to: number): number {
    const before = this.#pendingLength;
    const length = before + to - from;
    if (length > headLimit) return overlong;
    let pending = this.#pending;
    if (pending === null || pending.length < length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(firstPending, 2 ** Math.ceil(Math.log2(length))));
      pending?.copy(larger, 0, 0, before);
      pending = larger;
      this.#pending = larger;
    }
    bytes.copy(pending, before, from, to);
    this.#pendingLength = length;
    return needsMore;
  }

  #readSplitHead(bytes: Buffer, from: number, to: number): number {
    const before = this.#pendingLength;
    const taken = Math.min(to, from + headLimit - before);
    if (this.#holdBack(bytes, from, taken) !== needsMore || this.#pending === null) return overlong;
    const end = findHeadEnd(this.#pending, Math.max(0, before - 3), this.#pendingLength);
    if (end < 0) return this.#pendingLength === headLimit ? overlong : needsMore;
    this.#pendingLength = 0;
    return this.#parseHead(this.#pending, 0, end) ? from + end - before : broken;
  }

  #parseHead(bytes: Buffer, from: number, end: number): boolean {
    this.#wrong = notHttp1;
    if (!this.#parseStatusLine(bytes, from, end)) return false;
    this.#chunked = false;
    this.#length = -1;
    this.#saysClose = false;
    this.#saysKeepAlive = false;
    this.executionUs = -1;
    let at = nextLine(bytes, from, end);
    for (;;) {
      let next = nextLine(bytes, at, end);
      if (next === end) break;
      // The line goes on where the one below begins with a blank.
      while (isBlank(bytes[next])) next = nextLine(bytes, next, end);
      if (!this.#parseField(bytes, at, lineEnd(bytes, next))) return false;
      at = next;
    }
    this.keepAlive = !this.#saysClose && (this.minor >= 1 || this.#saysKeepAlive);
    if (this.#keepsHead && this.status >= 200) this.keptHead.append(bytes, from, end);
    return this.#chooseFraming();
  }

  #parseStatusLine(bytes: Buffer, from: number, end: number): boolean {
    // "HTTP/1.x SSS": H T T P / 1 . then a digit, a space and three digits.
    if (end - from < 13) return false;
    for (let i = 0; i < 7; i++) if (bytes[from + i] !== statusPrefix[i]) return false;
    const minor = digit(bytes, from + 7);
    const hundreds = digit(bytes, from + 9);
    const tens = digit(bytes, from + 10);
    const ones = digit(bytes, from + 11);
    if (minor < 0 || hundreds < 1 || tens < 0 || ones < 0 || bytes[from + 8] !== space) return false;
    const after = bytes[from + 12];
    if (after !== space && after !== cr && after !== lf) return false;
    this.status = hundreds * 100 + tens * 10 + ones;
    this.minor = minor;
    return true;
  }

  /** One field without its last line end, folded or not. Only what frames the message or is measured is looked at. */
  #parseField(bytes: Buffer, from: number, to: number): boolean {
    let colon = from;
    while (colon < to && bytes[colon] !== colonByte) colon++;
    if (colon === to || colon === from || isBlank(bytes[colon - 1])) return false;
    if (isBlank(bytes[from])) return false;
    const nameLength = colon - from;
    if (nameLength === 14 && matches(bytes, from, contentLength))
      return this.#parseLength(bytes, colon + 1, to) || this.#find(wrongLength);
    if (nameLength === 17 && matches(bytes, from, transferEncoding)) {
      if (this.#chunked || !endsWithToken(bytes, colon + 1, to, chunkedToken)) return false;
      this.#chunked = true;
    } else if (nameLength === 10 && matches(bytes, from, connection)) {
      if (containsToken(bytes, colon + 1, to, closeToken)) this.#saysClose = true;
      if (containsToken(bytes, colon + 1, to, keepAliveToken)) this.#saysKeepAlive = true;
    } else if (nameLength === 13 && this.executionUs < 0 && matches(bytes, from, serverTiming)) {
      this.executionUs = readApplicationTime(bytes, colon + 1, to);
    }
    return true;
  }

  #find(failure: Failure): false {
    this.#wrong = failure;
    return false;
  }

  #parseLength(bytes: Buffer, from: number, to: number): boolean {
    let at = from;
    let end = to;
    while (at < end && isGap(bytes[at])) at++;
    while (end > at && isGap(bytes[end - 1])) end--;
    if (at === end || end - at > 15) return false;
    let value = 0;
    for (; at < end; at++) {
      const next = digit(bytes, at);
      if (next < 0) return false;
      value = value * 10 + next;
    }
    if (this.#length >= 0 && this.#length !== value) return false;
    this.#length = value;
    return true;
  }

  #chooseFraming(): boolean {
    if (this.status < 200) {
      // An interim response: the real one follows. 101 would change the protocol, which was not asked for.
      return this.status !== 101 || this.#find(switched);
    }
    if (this.#chunked && this.#length >= 0) return this.#find(wrongLength);
    if (this.#bodyless || this.status === 204 || this.status === 304) this.#state = atRest;
    else if (this.#chunked) {
      this.#state = chunkSize;
      this.#remaining = 0;
      this.#sizeDigits = 0;
      this.#trailerBytes = 0;
    } else if (this.#length === 0) this.#state = atRest;
    else if (this.#length > 0) {
      this.#state = inLength;
      this.#remaining = this.#length;
    } else {
      this.#state = untilClose;
      this.keepAlive = false;
    }
    return true;
  }

  #readChunks(bytes: Buffer, from: number, to: number): Reading {
    let at = from;
    while (at < to) {
      if (this.#state === chunkBytes) {
        const taken = Math.min(this.#remaining, to - at);
        this.#takeBody(bytes, at, at + taken);
        this.#remaining -= taken;
        at += taken;
        if (this.#remaining === 0) this.#state = chunkEnd;
        continue;
      }
      if (!this.#readFraming(bytes[at] ?? 0)) return this.#refuse(wrongChunk);
      at++;
      if (this.#state === atRest) return at === to ? complete : this.#refuse(tooLong);
    }
    return incomplete;
  }

  /** One byte of chunk size, extension, line end or trailer; false when it cannot stand there. */
  #readFraming(byte: number): boolean {
    switch (this.#state) {
      case chunkSize: {
        const value = hexDigit(byte);
        if (value >= 0) {
          this.#remaining = this.#remaining * 16 + value;
          this.#sizeDigits++;
          return this.#sizeDigits <= 12;
        }
        if (this.#sizeDigits === 0) return false;
        if (byte === cr) this.#state = chunkSizeEnd;
        else if (byte === semicolon || isBlank(byte)) this.#state = chunkExtension;
        else return false;
        return true;
      }
      case chunkExtension:
        this.#trailerBytes++;
        if (byte === cr) this.#state = chunkSizeEnd;
        return byte !== lf && this.#trailerBytes <= trailerLimit;
      case chunkSizeEnd:
        this.#state = this.#remaining === 0 ? trailerStart : chunkBytes;
        this.#sizeDigits = 0;
        return byte === lf;
      case chunkEnd:
        this.#state = chunkEndFeed;
        return byte === cr;
      case chunkEndFeed:
        this.#state = chunkSize;
        return byte === lf;
      case trailerStart:
        this.#state = byte === cr ? lastFeed : trailerLine;
        return byte !== lf;
      case trailerLine:
        this.#trailerBytes++;
        if (byte === cr) this.#state = trailerLineFeed;
        return byte !== lf && this.#trailerBytes <= trailerLimit;
      case trailerLineFeed:
        this.#state = trailerStart;
        return byte === lf;
      default:
        this.#state = atRest;
        return byte === lf;
    }
  }
}
