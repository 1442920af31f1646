import { endHeadersFlag, endStreamFlag, headersFrame, paddedFlag, priorityFlag } from './frames.ts';
import { headerListLimit } from './response-head.ts';

const nothing = Buffer.alloc(0);

/**
 * The header block of a HEADERS frame and of the CONTINUATION frames after it; one that is whole in its HEADERS frame, as
 * nearly all are, stays where it lies. Source: RFC 9113, sections 6.2 and 6.10.
 */
export class HeaderBlock {
  /** Where it lies, once it is whole. */
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
