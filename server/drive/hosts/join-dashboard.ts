import { setTimeout as pause } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { z } from 'zod';
import { problem } from '../../../shared/base/problem.ts';
import type { OwnListener } from '../../base/addresses/target-policy.ts';
import { type AskedProcess, reasonIn } from '../../base/process/asked-process.ts';
import { monotonicUs } from '../../base/process/cpu.ts';
import { detailsOf, Reason } from '../../base/text/foreign-errors.ts';
import { channelKey, connectPinned, type PinnedAt } from '../../base/wire/pinned-channel.ts';
import { questions } from '../load/load-messages.ts';
import { startGeneratorProcess } from '../load/start-generator.ts';
import { type AllowedTarget, printAllowed, reasonAgainstLoading } from './allowed-targets.ts';
import {
  type BeatReply,
  encodeFrame,
  greetingSchema,
  type HostReply,
  leaseMs,
  type Order,
  type OrderOf,
  orderLimits,
  orderSchema,
  proofOf,
  readFrames,
  welcomeSchema,
} from './host-protocol.ts';

type OrdersOptions = {
  cores: number;
  allow: readonly AllowedTarget[];
  lookUp(hostname: string): Promise<readonly string[]>;
  say(sentence: string): void;
};

type Connection = {
  /** Listeners of the dashboard. */
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
    if (fence <= this.#fence) throw new Reason(olderFence);
    if (processes > this.#options.cores)
      throw new Reason(`it offers ${this.#options.cores} processes, not ${processes}`);
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
      throw new Reason(olderFence);
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
    if (fence !== this.#taken?.fence || asked === undefined) throw new Reason(olderFence);
    // Beats alone renew the lease.
    if (!Object.hasOwn(questions, name) || name === 'lease')
      throw new Reason(`it does not know the question ${name}`);
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
      if (reason !== null) throw new Reason(reason);
    }
  }

  async #reply({ call, fence }: OrderOf<'take' | 'ask'>, work: () => Promise<unknown>): Promise<void> {
    try {
      this.#connection.answer({ fence, call, answer: await work() });
    } catch (error) {
      this.#connection.answer({ fence, call, problem: reasonIn(error).slice(0, 2000), ...detailsOf(error) });
    }
  }
}

const olderFence = 'the order belongs to an earlier run';

const windowSchema = z.looseObject({ trees: z.null() });

export type JoinOptions = Pick<OrdersOptions, 'allow' | 'lookUp'> & {
  /** Address where the dashboard listens for generators, and its name in sentences. */
  at: PinnedAt & { name: string };
  token: string;
  name: string;
  cores: number;
  version: string;
  /** Ends it. All of its processes have ended when the promise resolves. */
  signal: AbortSignal;
  /** Prints a sentence about what happens. */
  say(sentence: string): void;
};

const joinMs = 10_000;
const againMs = 1000;

/** How a connection ended. `why` is the rest of a sentence that begins with the dashboard's name. */
type Ending = { why: string; final: boolean; joined: boolean };

/**
 * Offers this host's generator to a dashboard, and joins again whenever the connection ends. Resolves when it is stopped. Throws
 * join_refused when the dashboard refuses it for good.
 */
export async function joinDashboard(options: JoinOptions): Promise<void> {
  const { signal, say, at } = options;
  let last = '';
  while (!signal.aborted) {
    const { why, final, joined } = await converse(options);
    if (signal.aborted) return;
    const sentence = `The dashboard at ${at.name} ${why}.`;
    if (final) throw problem('join_refused', sentence);
    if (joined || sentence !== last) say(`${sentence} Trying again every second.`);
    last = sentence;
    await pause(againMs, undefined, { signal }).catch(() => {});
  }
}

/** One connection, to its end. */
async function converse(options: JoinOptions): Promise<Ending> {
  const { at, signal, say } = options;
  const { promise: ended, resolve: end } = Promise.withResolvers<Ending>();
  let orders: OrdersOfHost | null = null;
  const socket = connectPinned(at, {
    untrusted: (why) => end({ why, final: true, joined: false }),
    unreachable: (why) => end({ why, final: false, joined: orders !== null }),
  });
  const leave = () => void socket.destroy();
  signal.addEventListener('abort', leave, { once: true });
  const late = setTimeout(() => {
    end({ why: 'did not answer', final: false, joined: false });
    leave();
  }, joinMs);
  const joining = new Joining(options, socket, {
    welcomed(own) {
      clearTimeout(late);
      orders = new OrdersOfHost(options, {
        own: [...own, ...listenersAt(socket, own)],
        answer: (said) => void socket.write(encodeFrame(said)),
        leave,
      });
      say(
        `Joined ${at.name}. It may load ${options.allow.map(printAllowed).join(', ') || 'nothing: name a host with --allow'}.`,
      );
    },
    refused(why, final) {
      end({
        why: final ? `refused this generator: ${why}` : `does not take it yet: ${why}`,
        final,
        joined: false,
      });
      leave();
    },
  });
  readFrames(
    socket,
    () => orderLimits,
    (said) => {
      if (orders === null) return joining.hear(said);
      const order = orderSchema.safeParse(said);
      if (order.success) orders.follow(order.data);
      else leave();
    },
  );
  const ending = await ended;
  signal.removeEventListener('abort', leave);
  clearTimeout(late);
  leave();
  await (orders as OrdersOfHost | null)?.end();
  return ending;
}

type Answered = { welcomed(own: readonly OwnListener[]): void; refused(why: string, final: boolean): void };

/** The introduction: greeting, hello, welcome. */
class Joining {
  readonly #options: JoinOptions;
  readonly #socket: TLSSocket;
  readonly #answered: Answered;
  #greeted = false;

  constructor(options: JoinOptions, socket: TLSSocket, answered: Answered) {
    this.#options = options;
    this.#socket = socket;
    this.#answered = answered;
  }

  hear(said: unknown): void {
    if (this.#greeted) this.#heardWelcome(said);
    else this.#heardGreeting(said);
  }

  #heardGreeting(said: unknown): void {
    const greeting = greetingSchema.safeParse(said);
    if (!greeting.success) {
      this.#answered.refused('it does not greet as TLS Toll does', true);
      return;
    }
    this.#greeted = true;
    const { token, name, cores, allow, version } = this.#options;
    const key = channelKey(token, 'generator', greeting.data.nonce, this.#socket);
    this.#socket.write(
      encodeFrame({ version, name, cores, allow: allow.map(printAllowed), proof: proofOf(key, name) }),
    );
  }

  #heardWelcome(said: unknown): void {
    const welcome = welcomeSchema.safeParse(said);
    if (!welcome.success) this.#answered.refused('it does not answer as TLS Toll does', true);
    else if ('own' in welcome.data) this.#answered.welcomed(welcome.data.own);
    else if ('refused' in welcome.data) this.#answered.refused(welcome.data.refused, true);
    else this.#answered.refused(welcome.data.later, false);
  }
}

/** The dashboard's ports at the address where this host reaches it. */
function listenersAt(
  { remoteAddress = '', remotePort = 0 }: TLSSocket,
  own: readonly OwnListener[],
): OwnListener[] {
  return [...own.map(({ port }) => port), remotePort].map((port) => ({ host: remoteAddress, port }));
}
