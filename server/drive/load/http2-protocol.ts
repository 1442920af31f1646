import { schemeOf } from '../../../shared/base/transport.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { hostOf } from '../../base/addresses/origin.ts';
import { Http2Conversation } from '../../base/wire/http2/http2-conversation.ts';
import { assembleHttp2Request, type Http2Request } from '../../base/wire/http2/http2-request.ts';
import type { Failure, Reading } from '../../base/wire/reading.ts';
import { literalRequest } from '../../intake/scenario/literal-request.ts';
import type { RenderedStep, UserScript } from '../../intake/scenario/user-script.ts';
import { examineKept } from './examine-kept.ts';
import type { Protocol } from './protocol.ts';

/** HTTP/2, one stream at a time. Each connection has a conversation of its own. */
export class Http2Protocol implements Protocol {
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
export function assembleHttp2Requests(scenario: Scenario, listener: Listener): Http2Request[] {
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
