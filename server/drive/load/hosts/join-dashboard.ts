import { setTimeout as pause } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { problem } from '../../../../shared/base/problem.ts';
import type { OwnListener } from '../../../base/addresses/own-listeners.ts';
import { channelKey } from '../../../base/pinned/channel-key.ts';
import { connectPinned, type PinnedAt } from '../../../base/pinned/connect-pinned.ts';
import { printAllowed } from './allowed-targets.ts';
import { encodeFrame, readFrames } from './frames.ts';
import { greetingSchema, orderLimits, orderSchema, welcomeSchema } from './host-messages.ts';
import { OrdersOfHost, type OrdersOptions } from './orders-of-host.ts';
import { proofOf } from './proof.ts';

export type JoinOptions = Pick<OrdersOptions, 'allow' | 'lookUp'> & {
  /** Where the dashboard listens for generators, and its name in sentences. */
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
