import {
  dataFrame,
  dataFrames,
  defaultWindow,
  headBytes,
  maxFrameBytes,
  maxWindow,
  paddedFlag,
  streamIdAt,
} from './http2-request.ts';

/** Receiver of frames. Each method returns whether its frame may be there; after false, nothing more is read. */
export type FrameSink = {
  /** The head of a frame has been read. */
  begins(frame: FrameReader): boolean;
  /** Content of a DATA frame, without its padding; `octets` is what it counts for flow control. */
  data(bytes: Buffer, from: number, to: number, octets: number): boolean;
  /** The frame is over. Its payload is given as a whole; that of a DATA frame has been given already. */
  ends(frame: FrameReader, bytes: Buffer, from: number, to: number): boolean;
};

const nothing = Buffer.alloc(0);
const wrong = -1;

/**
 * Cuts the bytes of a connection into frames, wherever the reads have cut them. DATA is handed on as it comes; any other
 * payload is handed on where it lies, or is put together first when it came in several reads.
 * Source: RFC 9113, sections 4.1 and 6.1.
 */
export class FrameReader {
  type = 0;
  flags = 0;
  stream = 0;
  length = 0;

  readonly #sink: FrameSink;
  /** A head that has arrived in part. */
  #head: Buffer | null = null;
  #headLength = 0;
  #inPayload = false;
  /** Octets of the payload that are still to come. */
  #left = 0;
  /** Octets of padding at the end of a DATA frame; -1 until its first octet has given their number. */
  #padding = 0;
  #payload: Buffer | null = null;
  #payloadLength = 0;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /** @returns false when something is there that may not be; the connection is then of no more use */
  read(bytes: Buffer, length: number): boolean {
    let at = 0;
    while (at < length) {
      at = this.#inPayload ? this.#readPayload(bytes, at, length) : this.#readHead(bytes, at, length);
      if (at === wrong) return false;
    }
    return true;
  }

  #readHead(bytes: Buffer, from: number, to: number): number {
    if (this.#headLength === 0 && to - from >= headBytes) {
      return this.#begin(bytes, from) ? from + headBytes : wrong;
    }
    this.#head ??= Buffer.allocUnsafe(headBytes);
    const taken = Math.min(headBytes - this.#headLength, to - from);
    bytes.copy(this.#head, this.#headLength, from, from + taken);
    this.#headLength += taken;
    if (this.#headLength < headBytes) return to;
    this.#headLength = 0;
    return this.#begin(this.#head, 0) ? from + taken : wrong;
  }

  #begin(head: Buffer, at: number): boolean {
    this.length = ((head[at] ?? 0) << 16) | ((head[at + 1] ?? 0) << 8) | (head[at + 2] ?? 0);
    this.type = head[at + 3] ?? 0;
    this.flags = head[at + 4] ?? 0;
    this.stream = readUint31(head, at + streamIdAt);
    if (this.length > maxFrameBytes || !this.#sink.begins(this)) return false;
    this.#left = this.length;
    const padded = this.type === dataFrame && (this.flags & paddedFlag) !== 0;
    this.#padding = padded ? -1 : 0;
    this.#inPayload = this.#left > 0;
    return this.#inPayload || (!padded && this.#sink.ends(this, nothing, 0, 0));
  }

  #readPayload(bytes: Buffer, from: number, to: number): number {
    const next = Math.min(to, from + this.#left);
    if (this.type === dataFrame) return this.#readData(bytes, from, next) ? next : wrong;
    if (this.#payload === null && next - from === this.#left) {
      this.#inPayload = false;
      return this.#sink.ends(this, bytes, from, next) ? next : wrong;
    }
    this.#payload ??= Buffer.allocUnsafe(this.#left);
    bytes.copy(this.#payload, this.#payloadLength, from, next);
    this.#payloadLength += next - from;
    this.#left -= next - from;
    if (this.#left > 0) return next;
    const payload = this.#payload;
    this.#payload = null;
    this.#payloadLength = 0;
    this.#inPayload = false;
    return this.#sink.ends(this, payload, 0, payload.length) ? next : wrong;
  }

  #readData(bytes: Buffer, from: number, to: number): boolean {
    let at = from;
    if (this.#padding < 0) {
      this.#padding = bytes[at++] ?? 0;
      if (this.#padding >= this.#left) return false;
    }
    const contentEnds = Math.max(at, Math.min(to, from + this.#left - this.#padding));
    if (!this.#sink.data(bytes, at, contentEnds, to - from)) return false;
    this.#left -= to - from;
    this.#inPayload = this.#left > 0;
    return this.#inPayload || this.#sink.ends(this, nothing, 0, 0);
  }
}

/** The highest bit is reserved and means nothing. */
export function readUint31(bytes: Buffer, at: number): number {
  return (
    (((bytes[at] ?? 0) & 127) << 24) |
    ((bytes[at + 1] ?? 0) << 16) |
    ((bytes[at + 2] ?? 0) << 8) |
    (bytes[at + 3] ?? 0)
  );
}

const bodyNothing: Buffer = Buffer.alloc(0);

/**
 * The peer's flow-control windows, and the part of a request's body that they hold back.
 * A window that the peer makes smaller can fall below zero. Source: RFC 9113, sections 5.2 and 6.9.
 */
export class OutgoingBody {
  #connectionWindow = defaultWindow;
  #initialWindow = defaultWindow;
  #streamWindow = 0;
  #stream = 0;
  #body = bodyNothing;
  #sent = 0;

  /** Whether a body of that length may go out at once; if so, it counts as sent. */
  takeWhole(length: number): boolean {
    if (length > this.#connectionWindow || length > this.#initialWindow) return false;
    this.#connectionWindow -= length;
    return true;
  }

  /** Takes a body that may not; `takeFrames` gives what may. */
  hold(stream: number, body: Buffer): void {
    this.#stream = stream;
    this.#streamWindow = this.#initialWindow;
    this.#body = body;
    this.#sent = 0;
  }

  get holdsBack(): boolean {
    return this.#sent < this.#body.length;
  }

  drop(): void {
    this.#body = bodyNothing;
    this.#sent = 0;
  }

  /** DATA frames that the windows let through now. */
  takeFrames(): Buffer[] {
    const from = this.#sent;
    const allowed = Math.max(0, Math.min(this.#connectionWindow, this.#streamWindow));
    this.#sent = Math.min(this.#body.length, from + allowed);
    this.#connectionWindow -= this.#sent - from;
    this.#streamWindow -= this.#sent - from;
    return dataFrames(this.#stream, this.#body, from, this.#sent);
  }

  /** @returns false when the peer widened a window beyond what is allowed, or by nothing */
  widen(stream: number, by: number): boolean {
    if (stream === 0) this.#connectionWindow += by;
    else if (stream === this.#stream && this.holdsBack) this.#streamWindow += by;
    return by > 0 && this.#connectionWindow <= maxWindow && this.#streamWindow <= maxWindow;
  }

  /** The window that the peer gives to every stream, the one under way included. */
  changeInitialWindow(window: number): boolean {
    if (this.holdsBack) this.#streamWindow += window - this.#initialWindow;
    this.#initialWindow = window;
    return window <= maxWindow && this.#streamWindow <= maxWindow;
  }
}
