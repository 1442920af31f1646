import { type HttpVersion, isEncrypted, schemeOf, transportFacts } from '../../../shared/base/transport.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { hostOf, originOf } from '../../base/addresses/origin.ts';
import { assembleRequest } from '../../base/wire/ask.ts';
import {
  decodeBody,
  type Failure,
  type Field,
  KnownHead,
  mostKeptBytes,
  type Reading,
} from '../../base/wire/head-bytes.ts';
import { Http2Conversation } from '../../base/wire/http2-conversation.ts';
import { assembleHttp2Request, type Http2Request } from '../../base/wire/http2-request.ts';
import { ResponseReader } from '../../base/wire/response-reader.ts';
import { compileScript, fillOrigin } from '../../intake/scenario/compiled-script.ts';
import { literalRequest, type RenderedStep, UserScript } from '../../intake/scenario/user-script.ts';

/** The kept parts of a response: names in lower case; of the body no more than `mostKeptBytes` of its `bodyBytes`. */
type KeptResponse = { fields: readonly Field[]; body: Buffer; bodyBytes: number };

/** Has the user's script look at a response; null when all is well. */
export function examineKept(user: UserScript, step: number, kept: KeptResponse): Failure | null {
  const header = (wanted: string) => {
    const name = wanted.toLowerCase();
    return kept.fields.find((field) => field[0] === name)?.[1];
  };
  const setCookies = kept.fields.filter(([name]) => name === 'set-cookie').map(([, value]) => value);
  if (!user.step(step).needsBody) return user.examine(step, { header, setCookies, body: nothing });
  if (kept.bodyBytes > mostKeptBytes) return tooLarge;
  const encoding = header('content-encoding');
  const body = encoding === undefined ? kept.body : decodeBody(kept.body, encoding, mostKeptBytes);
  if (body === null) return notAsEncoded;
  return user.examine(step, { header, setCookies, body });
}

const nothing = Buffer.alloc(0);
const tooLarge: Failure = {
  outcome: 'check_failed',
  detail: 'the body is longer than the 10 MiB in which checks and extraction look',
};
const notAsEncoded: Failure = {
  outcome: 'malformed_response',
  detail: 'the body is not what its Content-Encoding says, or longer than 10 MiB without it',
};

/** HTTP/2, one stream at a time. Each connection has a conversation of its own. */
class Http2Protocol implements Protocol {
  readonly mayTalkUnasked = true;
  readonly #requests: readonly Http2Request[];
  readonly #listener: Listener;
  readonly #user: UserScript | null;
  readonly #conversation = new Http2Conversation();

  /** @param user null where all requests are the same each time and nothing of a response is looked at */
  constructor(requests: readonly Http2Request[], listener: Listener, user: UserScript | null) {
    this.#requests = requests;
    this.#listener = listener;
    this.#user = user;
  }

  get status(): number {
    return this.#conversation.status;
  }
  get keepAlive(): boolean {
    return this.#conversation.keepAlive;
  }
  get bodyBytes(): number {
    return this.#conversation.bodyBytes;
  }
  get executionUs(): number {
    return this.#conversation.executionUs;
  }
  get started(): boolean {
    return this.#conversation.started;
  }
  get failure(): Failure {
    return this.#conversation.failure;
  }

  forNewConnection(): Protocol {
    return new Http2Protocol(this.#requests, this.#listener, this.#user);
  }

  hello(): Buffer {
    return this.#conversation.hello();
  }

  beginTransaction(row: number): void {
    this.#user?.beginTransaction(row);
  }

  /** HTTP/2 has no word for the last request on a connection: it is closed. */
  compose(step: number, _closing: boolean): Buffer {
    const request = this.#requests[step];
    if (request === undefined) throw new Error(`the scenario has no step ${step}`);
    const user = this.#user;
    if (user === null) return this.#conversation.begin(request, false);
    const rendered = user.render(step);
    return this.#conversation.begin(
      rendered === null ? request : assemble(rendered, this.#listener, false),
      user.step(step).needsHead,
    );
  }

  read(bytes: Buffer, length: number): Reading {
    return this.#conversation.read(bytes, length);
  }

  takeReplies(): Buffer | null {
    return this.#conversation.takeReplies();
  }

  close(): Reading {
    return this.#conversation.close();
  }

  examine(step: number): Failure | null {
    const user = this.#user;
    if (user === null || !user.step(step).needsHead) return null;
    const { headers, keptBody, bodyBytes } = this.#conversation;
    return examineKept(user, step, { fields: headers, body: keptBody.bytes, bodyBytes });
  }
}

/** The requests of a scenario, shared by all connections to the listener. */
function assembleHttp2Requests(scenario: Scenario, listener: Listener): Http2Request[] {
  return scenario.steps.map((step) => assemble(literalRequest(step), listener, true));
}

function assemble(rendered: RenderedStep, listener: Listener, shared: boolean): Http2Request {
  return assembleHttp2Request({
    ...rendered,
    scheme: schemeOf(listener.transport),
    authority: hostOf(listener),
    shared,
  });
}

/**
 * How the users of a lane speak, one protocol for each. What they have in common is made once: requests in bytes, the
 * compiled script of a scenario that has one, and the heads that responses are known to begin with.
 */
export function protocolsOf(listener: Listener, written: Scenario): () => Protocol {
  const scenario = fillOrigin(written, originOf(listener));
  const script = compileScript(scenario);
  const origin = { hostname: listener.hostname, secure: isEncrypted(listener.transport), now: Date.now };
  const newUser = () => (script === null ? null : new UserScript(script, origin));
  return protocols[transportFacts[listener.transport].httpVersion](listener, scenario, newUser);
}

type Speak = (listener: Listener, scenario: Scenario, newUser: () => UserScript | null) => () => Protocol;

const protocols: Record<HttpVersion, Speak> = {
  '1.1': (listener, scenario, newUser) => {
    const requests: Http1Requests = {
      usual: assembleRequests(scenario, listener, false),
      last: assembleRequests(scenario, listener, true),
      host: hostOf(listener),
    };
    const knownHeads = scenario.steps.map(() => new KnownHead());
    return () => new Http1Protocol(requests, knownHeads, newUser());
  },
  '2': (listener, scenario, newUser) => {
    const requests = assembleHttp2Requests(scenario, listener);
    return () => new Http2Protocol(requests, listener, newUser());
  },
};

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

/** Requests of a scenario, shared by all users of a listener. */
type Http1Requests = {
  readonly usual: readonly WireRequest[];
  /** The same, each asking the server to close the connection after it. */
  readonly last: readonly WireRequest[];
  readonly host: string;
};

/**
 * How one virtual user speaks: makes the bytes of a request and reads its response, one request at a time. Properties of a response are
 * valid from the reading `complete` to the next request.
 */
export type Protocol = {
  readonly status: number;
  /** The connection may be used for another request. */
  readonly keepAlive: boolean;
  readonly bodyBytes: number;
  /** The application's own time from Server-Timing, in µs; -1 when it reports none. */
  readonly executionUs: number;
  /** Whether any byte of the response has been read. */
  readonly started: boolean;
  /** The server may send something when nothing was asked, such as settings or a ping. */
  readonly mayTalkUnasked: boolean;
  /** The problem, after the reading `malformed`. */
  readonly failure: Failure;
  /** The state for a connection that is about to be opened; the same object where none is needed. */
  forNewConnection(): Protocol;
  /** Goes first on a new connection; null for nothing. */
  hello(): Buffer | null;
  beginTransaction(row: number): void;
  /** The bytes to send. `closing`: it is the last request on its connection. */
  compose(step: number, closing: boolean): Buffer;
  read(bytes: Buffer, length: number): Reading;
  /** Replies that the protocol itself has to send; null for none. */
  takeReplies(): Buffer | null;
  /** The server has closed its side. */
  close(): Reading;
  /** Checks the response and takes variables from it; null when all is well. */
  examine(step: number): Failure | null;
};

/** A step as it goes over the wire, assembled once so that sending it costs one write. */
type WireRequest = { bytes: Buffer; bodyless: boolean };

/** @param close whether every request asks the server to close the connection */
export function assembleRequests(scenario: Scenario, listener: Listener, close: boolean): WireRequest[] {
  return scenario.steps.map((step) => ({
    bytes: assembleRequest(literalRequest(step), hostOf(listener), close),
    bodyless: step.method === 'HEAD',
  }));
}
