import { schemeOf, transportFacts } from '../../../shared/base/transport.ts';
import { hostOf } from '../../base/addresses/origin.ts';
import { type Hold, Line, type Question, type Reply } from '../../base/wire/ask.ts';
import type { Dialer } from './dialer.ts';

/** Sends one request at a time, byte for byte as the load generator does, on the connections that the policy gives it. */
export class Visitor {
  readonly #dialer: Dialer;
  readonly #keepAlive: boolean;
  #line: Line | null = null;

  constructor(dialer: Dialer, keepAlive: boolean) {
    this.#dialer = dialer;
    this.#keepAlive = keepAlive;
  }

  /** Rejects with NoAnswer, or with the dialer's CheckProblem. */
  async ask(question: Question, hold: Hold, onBody: (chunk: Buffer) => void): Promise<Reply> {
    const line = await this.#ready(hold);
    return line.ask(question, { hold, onBody, closing: !this.#keepAlive });
  }

  leave(): void {
    this.#line?.destroy();
    this.#line = null;
  }

  async #ready(hold: Hold): Promise<Line> {
    if (this.#keepAlive && this.#line?.isOpen) return this.#line;
    this.leave();
    const { listener } = this.#dialer;
    const { socket } = await this.#dialer.dial();
    const { httpVersion } = transportFacts[listener.transport];
    this.#line = new Line(hold(socket), httpVersion, {
      scheme: schemeOf(listener.transport),
      host: hostOf(listener),
    });
    return this.#line;
  }
}
