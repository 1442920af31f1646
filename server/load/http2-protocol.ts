import type { Scenario } from '../../shared/scenario.ts';
import type { Listener } from '../../shared/target.ts';
import { schemeOf } from '../../shared/transport.ts';
import { Http2Conversation } from './http2/http2-conversation.ts';
import { assembleHttp2Request, type Http2Request } from './http2/http2-request.ts';
import type { Fault, Protocol } from './protocol.ts';
import { carriesBody, defaultHeaders, hostOf } from './request-bytes.ts';
import type { Reading } from './response-reader.ts';

/** HTTP/2, one stream at a time. Each connection has a conversation of its own. */
export class Http2Protocol implements Protocol {
  readonly mayTalkUnasked = true;
  readonly #requests: readonly Http2Request[];
  readonly #conversation = new Http2Conversation();

  constructor(requests: readonly Http2Request[]) {
    this.#requests = requests;
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
  get fault(): Fault {
    return this.#conversation.fault;
  }

  forNewConnection(): Protocol {
    return new Http2Protocol(this.#requests);
  }

  hello(): Buffer {
    return this.#conversation.hello();
  }

  beginTransaction(_row: number): void {}

  /** HTTP/2 has no word for the last request on a connection: it is closed. */
  compose(step: number, _closing: boolean): Buffer {
    const request = this.#requests[step];
    if (request === undefined) throw new Error(`the scenario has no step ${step}`);
    return this.#conversation.begin(request, false);
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

  examine(_step: number): null {
    return null;
  }
}

/** The requests of a scenario, shared by all connections to the listener. */
export function assembleHttp2Requests(scenario: Scenario, listener: Listener): Http2Request[] {
  return scenario.steps.map((step) =>
    assembleHttp2Request({
      method: step.method,
      path: step.path,
      scheme: schemeOf(listener.transport),
      authority: hostOf(listener),
      headers: [...defaultHeaders(step), ...Object.entries(step.headers)],
      body: carriesBody(step) ? Buffer.from(step.body ?? '') : null,
      shared: true,
    }),
  );
}
