import type { UserScript } from '../../intake/scenario/user-script.ts';
import { examineKept } from './examine-kept.ts';
import type { Field } from './http2/response-head.ts';
import type { KnownHead } from './known-head.ts';
import type { Protocol } from './protocol.ts';
import type { Failure, Reading } from './reading.ts';
import { assembleRequest, type WireRequest } from './request-bytes.ts';
import { ResponseReader } from './response-reader.ts';

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
    const { keptHead, keptBody, bodyBytes } = this.#reader;
    return examineKept(user, step, {
      fields: parseFields(keptHead.bytes),
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

/** The fields of an HTTP/1.1 head that was found valid, from its status line to its empty line; names in lower case. */
export function parseFields(head: Buffer): Field[] {
  const text = head.toString('latin1').replace(/\r?\n(?=[ \t])/g, '');
  const [, ...lines] = text.split(/\r?\n/);
  return lines.filter((line) => line !== '').map(parseField);
}

function parseField(line: string): Field {
  const colon = line.indexOf(':');
  let [from, to] = [colon + 1, line.length];
  while (isBlank(line[from])) from += 1;
  while (to > from && isBlank(line[to - 1])) to -= 1;
  return [line.slice(0, colon).toLowerCase(), line.slice(from, to)];
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
