import { FrameReader, type FrameSink, OutgoingBody, readUint31 } from './frame-reader.ts';
import {
  complete,
  cutOff,
  type Failure,
  type Field,
  incomplete,
  KeptBytes,
  malformed,
  type Reading,
  tooShort,
} from './head-bytes.ts';
import {
  ackFlag,
  cancelError,
  continuationFrame,
  dataFrame,
  defaultWindow,
  enablePushSetting,
  endHeadersFlag,
  endStreamFlag,
  errorName,
  frame,
  goAwayFrame,
  type Http2Request,
  headersFrame,
  headerTableSizeSetting,
  initialWindowSetting,
  maxFrameBytes,
  maxFrameSizeSetting,
  maxHeaderListSetting,
  maxStreamId,
  maxWindow,
  paddedFlag,
  pingFrame,
  priorityFlag,
  pushPromiseFrame,
  refusedStreamError,
  resetFrame,
  settingsFrame,
  windowUpdateFrame,
} from './http2-request.ts';
import {
  areTrailers,
  decodeFields,
  headerListLimit,
  type ResponseHead,
  readResponseHead,
} from './http2-response-head.ts';

const nothing = Buffer.alloc(0);

/**
 * The header block of a HEADERS frame and of the CONTINUATION frames after it; one that is whole in its HEADERS frame, as
 * nearly all are, stays where it lies. Source: RFC 9113, sections 6.2 and 6.10.
 */
class HeaderBlock {
  /** The buffer that contains the block, once it is whole. */
  bytes: Buffer = nothing;
  from = 0;
  to = 0;
  /** More of it comes in CONTINUATION frames. */
  goesOn = false;
  /** Nothing comes on the stream after it. */
  endsStream = false;

  #gathered = nothing;

  /** Takes the payload of a frame; false when it is none of a header block's, or the block is too large. */
  take(type: number, flags: number, bytes: Buffer, from: number, to: number): boolean {
    const begins = type === headersFrame;
    let start = from;
    let end = to;
    if (begins) {
      this.endsStream = (flags & endStreamFlag) !== 0;
      if (flags & paddedFlag) end -= bytes[start++] ?? 0;
      if (flags & priorityFlag) start += 5;
      if (start > end || start > to) return false;
    }
    const wasGoingOn = this.goesOn;
    this.goesOn = (flags & endHeadersFlag) === 0;
    if (wasGoingOn || this.goesOn) return this.#gather(bytes, start, end, begins);
    this.#lie(bytes, start, end);
    return true;
  }

  #gather(bytes: Buffer, from: number, to: number, begins: boolean): boolean {
    if (begins) {
      this.#gathered = Buffer.allocUnsafe(headerListLimit);
      this.#lie(this.#gathered, 0, 0);
    }
    if (this.to + to - from > headerListLimit) return false;
    bytes.copy(this.#gathered, this.to, from, to);
    this.to += to - from;
    if (!this.goesOn) this.#gathered = nothing;
    return true;
  }

  #lie(bytes: Buffer, from: number, to: number): void {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
  }
}

/** The first bytes on a connection: no dynamic table, no pushes, and windows that no response fills. */
const greeting = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  settings([
    [headerTableSizeSetting, 0],
    [enablePushSetting, 0],
    [initialWindowSetting, maxWindow],
    [maxHeaderListSetting, headerListLimit],
  ]),
  windowUpdate(0, maxWindow - defaultWindow),
]);

const settingsAck = frame(settingsFrame, ackFlag, 0, Buffer.alloc(0));

export function settings(values: readonly (readonly [name: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(values.length * 6);
  for (const [index, [name, value]] of values.entries()) {
    payload.writeUInt16BE(name, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  }
  return frame(settingsFrame, 0, 0, payload);
}

export function windowUpdate(stream: number, by: number): Buffer {
  return frame(windowUpdateFrame, 0, stream, uint32(by));
}

function reset(stream: number, code: number): Buffer {
  return frame(resetFrame, 0, stream, uint32(code));
}

function pingAck(payload: Buffer): Buffer {
  return frame(pingFrame, ackFlag, 0, payload);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const notHttp2: Failure = { outcome: 'malformed_response', detail: 'the response is not valid HTTP/2' };
const tooLong: Failure = { outcome: 'body_too_long', detail: 'the body is longer than its Content-Length' };
const leaving: Failure = {
  outcome: 'connection_closed_early',
  detail: 'the server is closing the connection',
};

/** Octets taken in before a window is widened by them: half of what the peer was given. */
const widenAfter = 2 ** 30;

/** Phases of the response that is asked for. */
const atRest = 0;
const inHead = 1;
const inBody = 2;
const ended = 3;

/**
 * One HTTP/2 connection as a client that asks for one thing at a time. Like the reader of HTTP/1.1 it frames and counts,
 * keeps nothing of a response unless it is told to, and allocates nothing for one whose head arrives in one piece.
 * Source of the rules: RFC 9113, sections 3 to 8.
 */
export class Http2Conversation implements ResponseHead, FrameSink {
  status = 0;
  contentLength = -1;
  bodyBytes = 0;
  /** Server-Timing's app;dur in µs; -1 when absent. */
  executionUs = -1;
  /** The problem, after the reading `malformed`. */
  failure: Failure = notHttp2;
  /** Header fields of a response that is kept, names in lower case. */
  headers: readonly Field[] = [];
  /** Body of a response that is kept, or its beginning, until the next request. */
  readonly keptBody: KeptBytes;
  /** Whether any byte of the response has been read. */
  started = false;

  readonly #frames = new FrameReader(this);
  readonly #block = new HeaderBlock();
  readonly #outgoing = new OutgoingBody();
  readonly #copies = new Map<Http2Request, Buffer>();
  #nextStream: number;
  #stream = 0;
  #phase: typeof atRest | typeof inHead | typeof inBody | typeof ended = atRest;
  #bodyless = false;
  #keeps = false;
  #replies: Buffer[] = [];
  #greeted = false;
  #leaving = false;
  #takenIn = 0;
  #takenInOnStream = 0;

  /** @param firstStream odd, as all streams that a client opens */
  constructor(firstStream = 1, keptBody = new KeptBytes()) {
    this.#nextStream = firstStream;
    this.keptBody = keptBody;
  }

  /** Whether the server has sent its HTTP/2 settings. */
  get greeted(): boolean {
    return this.#greeted;
  }

  /** Whether the final head of the response under way has been read. */
  get headed(): boolean {
    return this.#phase === inBody || this.#phase === ended;
  }

  /** The connection may be used for another request. */
  get keepAlive(): boolean {
    return !this.#leaving && this.#nextStream <= maxStreamId;
  }

  /** Goes first on the connection. */
  hello(): Buffer {
    return greeting;
  }

  /**
   * The bytes of a request, which stay as they are until the next call.
   * @param keeps whether the response's header fields and body are kept
   */
  begin(request: Http2Request, keeps: boolean): Buffer {
    this.#stream = this.#nextStream;
    this.#nextStream += 2;
    this.#phase = inHead;
    this.#bodyless = request.bodyless;
    this.#keeps = keeps;
    this.#takenInOnStream = 0;
    this.started = false;
    this.status = 0;
    this.contentLength = -1;
    this.bodyBytes = 0;
    this.executionUs = -1;
    if (keeps) {
      this.headers = [];
      this.keptBody.clear();
    }
    const bytes = request.shared ? this.#copyOf(request) : request.bytes;
    for (const offset of request.idOffsets) writeStreamId(bytes, offset, this.#stream);
    if (this.#outgoing.takeWhole(request.body.length)) return bytes;
    this.#outgoing.hold(this.#stream, request.body);
    return Buffer.concat([bytes.subarray(0, request.headLength), ...this.#outgoing.takeFrames()]);
  }

  /**
   * `complete` with the bytes in which the response ends; `incomplete` also for what the protocol itself has to say while
   * nothing is asked for.
   */
  read(bytes: Buffer, length: number): Reading {
    if (!this.#frames.read(bytes, length)) return this.#refuse();
    if (this.#phase === ended) {
      this.#phase = atRest;
      return complete;
    }
    return this.#phase === atRest && this.#leaving ? this.#refuse(leaving) : incomplete;
  }

  /** Bytes to write now in addition to requests; null for none. */
  takeReplies(): Buffer | null {
    if (this.#replies.length === 0) return null;
    const replies = Buffer.concat(this.#replies);
    this.#replies = [];
    return replies;
  }

  /** The peer has closed its side: never the end of a response, which has a flag for that. */
  close(): Reading {
    return this.#refuse(this.#phase === inBody && this.contentLength >= 0 ? tooShort : cutOff);
  }

  begins({ type, flags, stream }: FrameReader): boolean {
    // The first frame is always the peer's settings.
    if (!this.#greeted && (type !== settingsFrame || flags & ackFlag)) return false;
    this.#greeted = true;
    if (this.#block.goesOn !== (type === continuationFrame)) return false;
    if (type === dataFrame) return stream === this.#stream && this.#phase === inBody;
    if (type === continuationFrame) return stream === this.#stream;
    if (type !== headersFrame) return type !== pushPromiseFrame;
    this.started = true;
    return stream === this.#stream && this.#isAwaited;
  }

  data(bytes: Buffer, from: number, to: number, octets: number): boolean {
    const length = to - from;
    this.bodyBytes += length;
    if (this.#bodyless && length > 0) return this.#falsify(tooLong);
    if (this.contentLength >= 0 && !this.#bodyless && this.bodyBytes > this.contentLength) {
      return this.#falsify(tooLong);
    }
    if (this.#keeps) this.keptBody.append(bytes, from, to);
    this.#takenIn += octets;
    this.#takenInOnStream += octets;
    if (this.#takenIn >= widenAfter) this.#widenOurs();
    return true;
  }

  ends({ type, flags, stream }: FrameReader, bytes: Buffer, from: number, to: number): boolean {
    const length = to - from;
    switch (type) {
      case dataFrame:
        return (flags & endStreamFlag) === 0 || this.#endStream();
      case headersFrame:
      case continuationFrame:
        return this.#block.take(type, flags, bytes, from, to) && (this.#block.goesOn || this.#readBlock());
      case settingsFrame:
        if (stream !== 0) return false;
        return flags & ackFlag ? length === 0 : length % 6 === 0 && this.#readSettings(bytes, from, to);
      case pingFrame:
        if (stream !== 0 || length !== 8) return false;
        if (!(flags & ackFlag)) this.#replies.push(pingAck(bytes.subarray(from, to)));
        return true;
      case windowUpdateFrame:
        return length === 4 && this.#widenTheirs(stream, readUint31(bytes, from));
      case resetFrame:
        return stream !== 0 && length === 4 && this.#readReset(stream, bytes.readUInt32BE(from));
      case goAwayFrame:
        return stream === 0 && length >= 8 && this.#readGoAway(bytes, from);
      default:
        return true;
    }
  }

  get #isAwaited(): boolean {
    return this.#phase === inHead || this.#phase === inBody;
  }

  #copyOf(request: Http2Request): Buffer {
    let copy = this.#copies.get(request);
    if (copy === undefined) {
      copy = Buffer.from(request.bytes);
      this.#copies.set(request, copy);
    }
    return copy;
  }

  #refuse(failure: Failure = this.failure): Reading {
    this.failure = failure;
    this.#leaving = true;
    return malformed;
  }

  #falsify(failure: Failure): false {
    this.failure = failure;
    return false;
  }

  #readBlock(): boolean {
    const { bytes, from, to, endsStream } = this.#block;
    if (this.#phase === inBody) return endsStream && areTrailers(bytes, from, to) && this.#endStream();
    if (!readResponseHead(bytes, from, to, this)) return false;
    if (this.status < 200) {
      // An interim response: the real one follows. 101 is no part of HTTP/2.
      return this.status !== 101 && !endsStream;
    }
    if (this.#keeps) {
      const fields = decodeFields(bytes, from, to);
      if (fields === null) return false;
      this.headers = fields;
    }
    if (this.status === 204 || this.status === 304) this.#bodyless = true;
    this.#phase = inBody;
    return !endsStream || this.#endStream();
  }

  #endStream(): boolean {
    if (!this.#bodyless && this.bodyBytes < this.contentLength) return this.#falsify(tooShort);
    this.#phase = ended;
    // The server has answered without waiting for the rest of the request; nobody wants it any more.
    if (this.#outgoing.holdsBack) this.#replies.push(reset(this.#stream, cancelError));
    this.#outgoing.drop();
    return true;
  }

  #readSettings(bytes: Buffer, from: number, to: number): boolean {
    for (let at = from; at < to; at += 6) {
      const name = bytes.readUInt16BE(at);
      const value = bytes.readUInt32BE(at + 2);
      if (name === initialWindowSetting && !this.#outgoing.changeInitialWindow(value)) return false;
      if (name === maxFrameSizeSetting && (value < maxFrameBytes || value >= 2 ** 24)) return false;
    }
    this.#replies.push(settingsAck);
    this.#sendHeldBack();
    return true;
  }

  #widenTheirs(stream: number, by: number): boolean {
    if (!this.#outgoing.widen(stream, by)) return false;
    this.#sendHeldBack();
    return true;
  }

  #sendHeldBack(): void {
    if (this.#outgoing.holdsBack) this.#replies.push(...this.#outgoing.takeFrames());
  }

  /** No stream takes in more than the connection does, so that widening both in one go is in time for either. */
  #widenOurs(): void {
    this.#replies.push(windowUpdate(0, this.#takenIn));
    if (this.#takenInOnStream > 0) this.#replies.push(windowUpdate(this.#stream, this.#takenInOnStream));
    this.#takenIn = 0;
    this.#takenInOnStream = 0;
  }

  #readReset(stream: number, code: number): boolean {
    if (stream !== this.#stream || !this.#isAwaited) return true;
    const detail = `the server reset the stream (${errorName(code)})`;
    const untouched = code === refusedStreamError ? ({ untouched: true } as const) : {};
    return this.#falsify({ outcome: 'connection_reset', detail, ...untouched });
  }

  /** Requests that the server has begun are still answered. */
  #readGoAway(bytes: Buffer, from: number): boolean {
    this.#leaving = true;
    if (!this.#isAwaited || readUint31(bytes, from) >= this.#stream) return true;
    const reason = errorName(bytes.readUInt32BE(from + 4));
    const detail = `the server closed the connection before it took the request (${reason})`;
    return this.#falsify({ outcome: 'connection_closed_early', detail, untouched: true });
  }
}

function writeStreamId(bytes: Buffer, at: number, stream: number): void {
  bytes[at] = stream >>> 24;
  bytes[at + 1] = stream >>> 16;
  bytes[at + 2] = stream >>> 8;
  bytes[at + 3] = stream;
}
