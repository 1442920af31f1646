import { defaultWindow, maxWindow } from './frames.ts';
import { dataFrames } from './http2-request.ts';

const nothing: Buffer = Buffer.alloc(0);

/**
 * The peer's flow-control windows, and the part of a request's body that they hold back.
 * A window that the peer makes smaller can fall below zero. Source: RFC 9113, sections 5.2 and 6.9.
 */
export class OutgoingBody {
  #connectionWindow = defaultWindow;
  #initialWindow = defaultWindow;
  #streamWindow = 0;
  #stream = 0;
  #body = nothing;
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
    this.#body = nothing;
    this.#sent = 0;
  }

  /** What the windows let through now. */
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
