import type { KnownHead } from './known-head.ts';
import type { Fault, Protocol } from './protocol.ts';
import type { WireRequest } from './request-bytes.ts';
import { type Reading, ResponseReader } from './response-reader.ts';

/** HTTP/1.1. The reader serves a virtual user for life, whatever connection it is on. */
export class Http1Protocol implements Protocol {
  readonly mayTalkUnasked = false;
  readonly #requests: readonly WireRequest[];
  readonly #lastRequests: readonly WireRequest[];
  readonly #knownHeads: readonly KnownHead[];
  readonly #reader = new ResponseReader();

  /**
   * @param lastRequests the same requests, each asking the server to close the connection after it
   * @param knownHeads one for each step
   */
  constructor(
    requests: readonly WireRequest[],
    lastRequests: readonly WireRequest[],
    knownHeads: readonly KnownHead[],
  ) {
    this.#requests = requests;
    this.#lastRequests = lastRequests;
    this.#knownHeads = knownHeads;
  }

  get status(): number {
    return this.#reader.status;
  }
  get keepAlive(): boolean {
    return this.#reader.keepAlive;
  }
  get bodyBytes(): number {
    return this.#reader.bodyBytes;
  }
  get executionUs(): number {
    return this.#reader.executionUs;
  }
  get started(): boolean {
    return this.#reader.started;
  }
  get fault(): Fault {
    return this.#reader.fault;
  }

  forNewConnection(): Protocol {
    return this;
  }

  hello(): null {
    return null;
  }

  beginTransaction(_row: number): void {}

  compose(step: number, closing: boolean): Buffer {
    const request = (closing ? this.#lastRequests : this.#requests)[step];
    if (request === undefined) throw new Error(`the scenario has no step ${step}`);
    this.#reader.begin(request.bodyless, this.#knownHeads[step]);
    return request.bytes;
  }

  read(bytes: Buffer, length: number): Reading {
    return this.#reader.read(bytes, length);
  }

  takeReplies(): null {
    return null;
  }

  close(): Reading {
    return this.#reader.close();
  }

  examine(_step: number): null {
    return null;
  }
}
