import { z } from 'zod';

type Waiting = { answer: z.ZodType; resolve(answer: unknown): void; reject(error: Error): void };

const replySchema = z.union([
  z.strictObject({ call: z.int(), problem: z.string() }),
  z.strictObject({ call: z.int(), answer: z.unknown().optional() }),
]);

/** The calls that wait for an answer, which may come in any order. */
export class OpenCalls {
  readonly #refused: (reason: string) => Error;
  readonly #waiting = new Map<number, Waiting>();
  #closed: Error | null = null;
  #count = 0;

  /** @param refused what a call rejects with when it is refused */
  constructor(refused: (reason: string) => Error) {
    this.#refused = refused;
  }

  /** Throws what the calls were closed with. */
  open<Answer>(answer: z.ZodType<Answer>): { call: number; answered: Promise<Answer> } {
    if (this.#closed !== null) throw this.#closed;
    const call = ++this.#count;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.set(call, { answer, resolve: resolve as Waiting['resolve'], reject });
    return { call, answered: promise };
  }

  /** Settles the call that this replies to; or what the process did wrong, which settles none. */
  take(message: unknown): string | null {
    const reply = replySchema.safeParse(message);
    if (!reply.success) return `sent what is not an answer: ${z.prettifyError(reply.error)}`;
    const { call } = reply.data;
    const asked = this.#waiting.get(call);
    if (asked === undefined) return 'answered what it was not asked';
    if ('problem' in reply.data) asked.reject(this.#refused(reply.data.problem));
    else {
      const answer = asked.answer.safeParse(reply.data.answer);
      if (!answer.success) return `sent an answer that is not valid: ${z.prettifyError(answer.error)}`;
      asked.resolve(answer.data);
    }
    this.#waiting.delete(call);
    return null;
  }

  /** Rejects every call that waits or comes. */
  close(error: Error): void {
    this.#closed = error;
    for (const { reject } of this.#waiting.values()) reject(error);
  }
}
