import type { TLSSocket } from 'node:tls';
import { monotonicUs } from '../base/process/cpu.ts';
import { channelKey, connectPinned, type PinnedAt } from '../base/wire/pinned-channel.ts';
import {
  encodeFrame,
  greetingSchema,
  type Order,
  type OrderOf,
  orderLimits,
  orderSchema,
  proofOf,
  readFrames,
} from '../drive/hosts/host-protocol.ts';

type Choice = {
  token: string;
  name: string;
  /** Its immediate answer to an order. */
  answerTo(order: OrderOf<'take' | 'ask'>): unknown;
};

/**
 * The end of a generator host without a generator: it joins, answers beats, and answers orders with what it is given. Resolves once it has
 * joined; rejects when it is sent away.
 */
export function joinSimulated(at: PinnedAt, { token, name, answerTo }: Choice): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const lost = (what: string) => reject(new Error(`the dashboard ${what}`));
  const socket = connectPinned(at, { untrusted: lost, unreachable: lost });
  const say = (words: object) => void socket.write(encodeFrame(words));
  const heard = [
    (said: unknown) => {
      const { nonce, version } = greetingSchema.parse(said);
      const proof = proofOf(channelKey(token, 'generator', nonce, socket), name);
      say({ version, name, cores: 1, allow: [], proof });
    },
    (said: unknown) => {
      if ('own' in (said as object)) return resolve(socket);
      socket.destroy();
    },
  ];
  const follow = (order: Order) => {
    if (order.type === 'beat') say({ beat: order.beat, atUs: monotonicUs(), wallMs: Date.now() });
    else if (order.type !== 'release') say({ fence: order.fence, call: order.call, answer: answerTo(order) });
  };
  readFrames(
    socket,
    () => orderLimits,
    (said) => {
      const next = heard.shift();
      if (next === undefined) follow(orderSchema.parse(said));
      else next(said);
    },
  );
  return promise;
}
