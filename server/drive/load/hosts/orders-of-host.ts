import { z } from 'zod';
import type { OwnListener } from '../../../base/addresses/own-listeners.ts';
import { monotonicUs } from '../../../base/process/monotonic.ts';
import type { AskedProcess } from '../../../base/process/start-asked-process.ts';
import { questions } from '../messages.ts';
import { startGeneratorProcess } from '../start-generator.ts';
import { type AllowedTarget, reasonAgainstLoading } from './allowed-targets.ts';
import { type BeatReply, type HostReply, leaseMs, type Order, type OrderOf } from './host-messages.ts';

export type OrdersOptions = {
  cores: number;
  allow: readonly AllowedTarget[];
  lookUp(hostname: string): Promise<readonly string[]>;
  say(sentence: string): void;
};

type Connection = {
  /** Where the dashboard listens. */
  own: readonly OwnListener[];
  answer(said: BeatReply | HostReply): void;
  leave(): void;
};

type Taken = {
  fence: number;
  processes: AskedProcess<typeof questions>[];
  ended: AbortController;
  untilUs: number;
};

/** In effect none: the conductor has its own time limit, and ends the connection of a host that does not answer. */
const graceMs = 2 ** 30;
const lookEveryMs = 100;

/**
 * Follows the orders of a dashboard over one connection: starts generator processes and asks them, for targets that this host may load, and
 * only while beats arrive.
 */
export class OrdersOfHost {
  readonly #options: OrdersOptions;
  readonly #connection: Connection;
  readonly #watch: NodeJS.Timeout;
  /** The highest so far. An order with a lower one comes from a run that has been replaced. */
  #fence = 0;
  #taken: Taken | null = null;
  #over: Promise<unknown>[] = [];

  constructor(options: OrdersOptions, connection: Connection) {
    this.#options = options;
    this.#connection = connection;
    this.#watch = setInterval(() => this.#endOverdue(), lookEveryMs);
  }

  follow(order: Order): void {
    if (order.type === 'beat') this.#beat(order);
    else if (order.type === 'release') this.#release(order);
    else if (order.type === 'take') void this.#reply(order, () => this.#take(order));
    else void this.#reply(order, () => this.#ask(order));
  }

  /** All of its processes have ended when this resolves. */
  async end(): Promise<void> {
    clearInterval(this.#watch);
    this.#endLoad();
    await Promise.all(this.#over);
  }

  #beat({ beat, fence }: OrderOf<'beat'>): void {
    // Beats that came while this host was stopped renew nothing.
    this.#endOverdue();
    this.#connection.answer({ beat, atUs: monotonicUs(), wallMs: Date.now() });
    if (fence === this.#taken?.fence) this.#renew(this.#taken);
  }

  #renew(taken: Taken): void {
    taken.untilUs = monotonicUs() + leaseMs * 1000;
    // `#lost` handles a process that has ended.
    for (const { ask } of taken.processes) ask('lease', { untilUs: taken.untilUs }).catch(() => {});
  }

  #endOverdue(): void {
    if (this.#taken === null || monotonicUs() <= this.#taken.untilUs) return;
    this.#options.say('No word from the dashboard: the load was ended.');
    this.#endLoad();
    this.#connection.leave();
  }

  #release({ fence }: OrderOf<'release'>): void {
    if (fence === this.#taken?.fence) this.#endLoad();
  }

  #endLoad(): void {
    const taken = this.#taken;
    this.#taken = null;
    if (taken === null) return;
    taken.ended.abort();
    this.#over = taken.processes.map(({ ended }) => ended);
  }

  async #take({ fence, processes }: OrderOf<'take'>): Promise<void> {
    if (fence <= this.#fence) throw new Error(olderFence);
    if (processes > this.#options.cores)
      throw new Error(`it offers ${this.#options.cores} processes, not ${processes}`);
    this.#fence = fence;
    this.#endLoad();
    await Promise.all(this.#over);
    const ended = new AbortController();
    const taken: Taken = { fence, processes: [], ended, untilUs: monotonicUs() + leaseMs * 1000 };
    this.#taken = taken;
    const starts = Array.from({ length: processes }, () =>
      startGeneratorProcess({ signal: ended.signal, graceMs }),
    );
    taken.processes = await Promise.all(starts);
    if (this.#taken !== taken) {
      this.#over = taken.processes.map(({ ended: over }) => over);
      throw new Error(olderFence);
    }
    // Without a lease they would load forever.
    this.#renew(taken);
    for (const { ended: over } of taken.processes) void over.then((how) => this.#lost(taken, how));
    this.#options.say(`Taken with ${processes === 1 ? '1 process' : `${processes} processes`}.`);
  }

  /** A process that ends has lost its counts: the host joins again and starts from zero. */
  #lost(taken: Taken, how: string): void {
    if (taken !== this.#taken) return;
    this.#options.say(`A process of the generator ended (${how}).`);
    this.#endLoad();
    this.#connection.leave();
  }

  async #ask({ fence, process, name, question }: OrderOf<'ask'>): Promise<unknown> {
    const asked = this.#taken?.processes[process];
    if (fence !== this.#taken?.fence || asked === undefined) throw new Error(olderFence);
    // Beats alone renew the lease.
    if (!Object.hasOwn(questions, name) || name === 'lease')
      throw new Error(`it does not know the question ${name}`);
    if (name === 'configure') await this.#demandAllowed(question);
    // The trees are processes of this host, which the dashboard must not read.
    if (name === 'window') windowSchema.parse(question);
    return asked.ask(
      name as keyof typeof questions,
      questions[name as keyof typeof questions].question.parse(question) as never,
    );
  }

  async #demandAllowed(question: unknown): Promise<void> {
    const { configuration } = questions.configure.question.parse(question);
    const { allow, lookUp } = this.#options;
    for (const listener of configuration.listeners) {
      const reason = await reasonAgainstLoading(listener, allow, { lookUp, own: this.#connection.own });
      if (reason !== null) throw new Error(reason);
    }
  }

  async #reply({ call, fence }: OrderOf<'take' | 'ask'>, work: () => Promise<unknown>): Promise<void> {
    try {
      this.#connection.answer({ fence, call, answer: await work() });
    } catch (error) {
      this.#connection.answer({ fence, call, problem: messageOf(error) });
    }
  }
}

const olderFence = 'the order belongs to an earlier run';

const windowSchema = z.looseObject({ trees: z.null() });

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 2000);
}
