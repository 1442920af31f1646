import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answerQuestions } from '../../base/process/asked-process.ts';
import { Reason } from '../../base/text/foreign-errors.ts';
import { pingQuestions } from './link-messages.ts';

/**
 * Measures what a link adds: round trips of a few bytes through it and past it, in a process of its own, so that they wait
 * for nothing but the link and the machine.
 */

const pingBytes = Buffer.alloc(64);
const everyMs = 100;

type End = { address: string; port: number };
type Times = { straight: number[]; linked: number[] };

const timesOf = new Map<string, Times>();
const here = '127.0.0.1';
let answering = 0;

answerQuestions(pingQuestions, {
  async listen() {
    const server = createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => socket.destroy());
      socket.pipe(socket);
    });
    server.listen(0, here);
    await once(server, 'listening');
    answering = (server.address() as AddressInfo).port;
    return answering;
  },
  async reach({ end, withinMs }) {
    const opening = open(end, AbortSignal.timeout(withinMs));
    return opening.then(
      (socket) => {
        socket.destroy();
        return true;
      },
      () => false,
    );
  },
  async ping(end) {
    const times: Times = { straight: [], linked: [] };
    timesOf.set(printEnd(end), times);
    const [straight, linked] = [await open({ address: here, port: answering }), await open(end)];
    void pingUntilClosed(straight, linked, times);
  },
  read(end) {
    const { straight = [], linked = [] } = timesOf.get(printEnd(end)) ?? {};
    return { straight: Float64Array.from(straight), linked: Float64Array.from(linked) };
  },
});

function printEnd({ address, port }: End): string {
  return `${address}:${port}`;
}

async function open({ address, port }: End, signal?: AbortSignal): Promise<Socket> {
  const socket = connect({ port, host: address, noDelay: true, ...(signal === undefined ? {} : { signal }) });
  await once(socket, 'connect');
  socket.on('error', () => socket.destroy());
  // The first one through a relay takes the round trip of the connection as well.
  await timePing(socket);
  return socket;
}

async function pingUntilClosed(straight: Socket, linked: Socket, times: Times): Promise<void> {
  try {
    for (;;) {
      await pause(everyMs);
      const straightMs = await timePing(straight);
      times.linked.push(await timePing(linked));
      times.straight.push(straightMs);
    }
  } catch {
    straight.destroy();
    linked.destroy();
  }
}

/** In ms. Rejects when the socket closes. */
function timePing(socket: Socket): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const closed = () => reject(new Reason('the link has closed'));
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
