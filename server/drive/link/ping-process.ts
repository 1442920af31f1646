import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answerQuestions } from '../../base/process/answer-questions.ts';
import { pingQuestions } from './messages.ts';

/**
 * Measures what a relay adds: round trips of a few bytes through it and past it, in a process of its own, so that they wait
 * for nothing but the relay and the machine.
 */

const pingBytes = Buffer.alloc(64);
const everyMs = 100;

type Times = { straight: number[]; relayed: number[] };

const timesOf = new Map<number, Times>();
let answering = 0;

answerQuestions(pingQuestions, {
  async listen() {
    const server = createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => socket.destroy());
      socket.pipe(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    answering = (server.address() as AddressInfo).port;
    return answering;
  },
  async ping({ port }) {
    const times: Times = { straight: [], relayed: [] };
    timesOf.set(port, times);
    const [straight, relayed] = [await open(answering), await open(port)];
    void pingUntilClosed(straight, relayed, times);
  },
  read({ port }) {
    const { straight = [], relayed = [] } = timesOf.get(port) ?? {};
    return { straight: Float64Array.from(straight), relayed: Float64Array.from(relayed) };
  },
});

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  socket.on('error', () => socket.destroy());
  // The first one through a relay takes the round trip of the connection as well.
  await timePing(socket);
  return socket;
}

async function pingUntilClosed(straight: Socket, relayed: Socket, times: Times): Promise<void> {
  try {
    for (;;) {
      await pause(everyMs);
      const straightMs = await timePing(straight);
      times.relayed.push(await timePing(relayed));
      times.straight.push(straightMs);
    }
  } catch {
    straight.destroy();
    relayed.destroy();
  }
}

/** In ms. Rejects when the socket closes. */
function timePing(socket: Socket): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const closed = () => reject(new Error('the relay has closed'));
  const fromMs = performance.now();
  let left = pingBytes.length;
  const read = (bytes: Buffer) => {
    left -= bytes.length;
    if (left === 0) resolve(performance.now() - fromMs);
  };
  socket.on('data', read).once('close', closed);
  if (socket.destroyed) closed();
  else socket.write(pingBytes);
  return promise.finally(() => socket.off('data', read).off('close', closed));
}
