import { assembleRequest } from '../../base/wire/ask.ts';
import type { KnownHead } from '../../base/wire/known-head.ts';
import type { Failure, Reading } from '../../base/wire/reading.ts';
import { ResponseReader } from '../../base/wire/response-reader.ts';
import type { UserScript } from '../../intake/scenario/user-script.ts';
import { examineKept } from './examine-kept.ts';
import type { Protocol } from './protocol.ts';
import type { WireRequest } from './request-bytes.ts';

/** HTTP/1.1. The reader serves a virtual user for life, whatever connection it is on. */
export class Http1Protocol implements Protocol {
  readonly mayTalkUnasked = false;
  readonly #requests: Http1Requests;
  readonly #knownHeads: readonly KnownHead[];
  readonly #user: UserScript | null;
  readonly #reader = new ResponseReader();

  /**
   * @param knownHeads one for each step
   * @param user null where all requests are the same each time and nothing of a response is looked at
   */
  constructor(requests: Http1Requests, knownHeads: readonly KnownHead[], user: UserScript | null) {
    this.#requests = requests;
    this.#knownHeads = knownHeads;
    this.#user = user;
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
  get failure(): Failure {
    return this.#reader.failure;
  }

  forNewConnection(): Protocol {
    return this;
  }

  hello(): null {
    return null;
  }

  beginTransaction(row: number): void {
    this.#user?.beginTransaction(row);
  }

  compose(step: number, closing: boolean): Buffer {
    const { usual, last, host } = this.#requests;
    const request = (closing ? last : usual)[step];
    if (request === undefined) throw new Error(`the scenario has no step ${step}`);
    const user = this.#user;
    if (user === null) {
      this.#reader.begin(request.bodyless, this.#knownHeads[step]);
      return request.bytes;
    }
    const { needsHead, needsBody } = user.step(step);
    this.#reader.begin(request.bodyless, this.#knownHeads[step], needsHead, needsBody);
    const rendered = user.render(step);
    return rendered === null ? request.bytes : assembleRequest(rendered, host, closing);
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

  examine(step: number): Failure | null {
    const user = this.#user;
    if (user === null || !user.step(step).needsHead) return null;
    const { headers, keptBody, bodyBytes } = this.#reader;
    return examineKept(user, step, {
      fields: headers,
      body: keptBody.bytes,
      bodyBytes,
    });
  }
}

/** Of a scenario, shared by all users of a listener. */
export type Http1Requests = {
  readonly usual: readonly WireRequest[];
  /** The same, each asking the server to close the connection after it. */
  readonly last: readonly WireRequest[];
  readonly host: string;
};
