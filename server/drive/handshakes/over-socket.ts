import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { Turn } from '../../../shared/kinds/handshakes/handshake-samples.ts';
import { answer, type Call, dial } from './connection.ts';
import { answerPlain, dialPlain } from './plain-pair.ts';

/** What an end speaks over its socket: TLS, or the turns of a handshake without it. */
export type Speech = SecureContext | readonly Turn[];

export type Answering = {
  server: Server;
  /** CPU time of this process, in microseconds, at the arrival of each connection since it was last asked for. */
  takeArrivals(): number[];
};

/** Answers every connection to a socket at this path. */
export async function listen(path: string, speech: Speech): Promise<Answering> {
  let arrivals: number[] = [];
  const server = createServer((socket) => {
    const { user, system } = process.cpuUsage();
    arrivals.push(user + system);
    // A client that leaves is no error of the server's.
    const leave = () => socket.destroy();
    const end: Duplex = isPlain(speech) ? answerPlain(socket, speech, leave) : answer(socket, speech, leave);
    end.once('end', () => end.destroy());
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    server,
    takeArrivals() {
      const taken = arrivals;
      arrivals = [];
      return taken;
    },
  };
}

/** One connection to a socket at this path; resolves once it is closed. */
export function callOver(path: string, speech: Speech, call: Call): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(path);
  socket.once('error', reject);
  const done = () => {
    socket.once('close', () => resolve());
    end.destroy();
    socket.destroy();
  };
  const end: Duplex = isPlain(speech)
    ? dialPlain(socket, speech, call.cell.bytes, done, reject)
    : dial(socket, speech, call, done, reject);
  return promise.finally(() => socket.destroy());
}

function isPlain(speech: Speech): speech is readonly Turn[] {
  return Array.isArray(speech);
}
