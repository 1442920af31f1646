import { once } from 'node:events';
import {
  type AddressInfo,
  connect,
  connect as connectPlain,
  createServer,
  type Server,
  type Socket,
} from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import type { HandshakeCell, Turn } from '../../../shared/kinds/handshakes/handshakes.ts';
import { answerQuestions } from '../../base/process/asked-process.ts';
import { Reason } from '../../base/text/foreign-errors.ts';
import { CellBench, sessionOf } from './cell-bench.ts';
import { libraryReason, questions, readAgreed } from './handshake-lab.ts';
import { answer, type Call, dial } from './observe.ts';
import { answerPlain, dialPlain, echo, timeEach } from './plain-pair.ts';

/** Both ends of a connection over TCP, which may have a path in between. */

const host = '127.0.0.1';
const request = Buffer.alloc(1);

/** Sends back what comes, with TLS where there is a context; resolves with the port. */
async function serve(context: SecureContext | null): Promise<number> {
  const server = createServer({ noDelay: true }, (socket) => {
    // A client that leaves is no error of the server's.
    const leave = () => socket.destroy();
    socket.on('error', leave);
    if (context === null) echo(socket);
    else answer(socket, context, leave).once('end', leave);
  });
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

type Client = { cell: HandshakeCell; context: SecureContext };
/** The server's end of the path, and its own port on loopback. */
type Where = { address: string; port: number; nearPort: number; connections: number };

/**
 * Milliseconds from the beginning of a connection to the first byte of the answer, of one connection after another. Rejects
 * with the first error, and with a sentence where something else was negotiated than the cell says.
 * @param client null without TLS
 */
async function reach(
  client: Client | null,
  { address, port, nearPort, connections }: Where,
): Promise<Float64Array<ArrayBuffer>> {
  const session =
    client?.cell.resumption === 'resumed'
      ? await sessionOf((call) =>
          askOnce(openTls(client, { address: host, port: nearPort }, null, call.keepSession)),
        )
      : null;
  const times = new Float64Array(connections);
  for (let i = 0; i < connections; i++) {
    const fromMs = performance.now();
    await askOnce(
      client === null ? openPlain({ address, port }) : openTls(client, { address, port }, session),
    );
    times[i] = performance.now() - fromMs;
  }
  return times;
}

/** `ready` when the request may be sent. */
type Opening = { socket: Socket | TLSSocket; ready: Promise<void> };

type PortServer = Pick<Where, 'address' | 'port'>;

function openPlain({ address, port }: PortServer): Opening {
  const socket = connectPlain({ port, host: address, noDelay: true });
  return { socket, ready: onceOf(socket, 'connect') };
}

function openTls(
  { cell, context }: Client,
  { address, port }: PortServer,
  session: Buffer | null,
  keepSession?: (session: Buffer) => void,
): Opening {
  const socket = connectTls({
    socket: connectPlain({ port, host: address, noDelay: true }),
    secureContext: context,
    rejectUnauthorized: false,
    ...(session === null ? {} : { session }),
  });
  if (keepSession !== undefined) socket.on('session', keepSession);
  const ready = onceOf(socket, 'secureConnect').then(() => {
    readAgreed(socket, cell, session !== null);
  });
  return { socket, ready };
}

async function askOnce({ socket, ready }: Opening): Promise<void> {
  const answered = onceOf(socket, 'data');
  answered.catch(() => {});
  try {
    await ready;
    socket.write(request);
    await answered;
  } finally {
    socket.destroy();
  }
}

/** Rejects when the socket closes first. */
function onceOf(socket: Socket, event: 'connect' | 'secureConnect' | 'data'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once('error', reject);
    socket.once('close', () => reject(new Reason('the connection was closed before an answer came')));
  });
}

/** A process of the lab, so that nothing else is in its figures. */

const bench = new CellBench();
let answering: Answering | null = null;
let session: Buffer | null = null;

answerQuestions(
  questions,
  {
    prepare: ({ cell }) => bench.prepare(cell),
    visit: ({ cell, turns, connections }) =>
      turns === null ? bench.visit(cell, connections) : bench.visitPlain(turns, cell.bytes, connections),
    async listen({ cell, turns, path }) {
      answering?.server.close();
      answering = await listen(path, turns ?? (await bench.serverOf(cell)));
    },
    async meet({ cell, turns, path, connections }) {
      const speech = turns ?? bench.clientOf(cell);
      session = await meet(path, speech, cell);
      await timeEach(connections, () => callOver(path, speech, { cell, session }));
    },
    dial({ cell, turns, path, connections }) {
      const speech = turns ?? bench.clientOf(cell);
      return timeEach(connections, () => callOver(path, speech, { cell, session }));
    },
    serve: async ({ cell }) => serve(cell === null ? null : await bench.serverOf(cell)),
    reach: ({ cell, ...where }) =>
      reach(cell === null ? null : { cell, context: bench.clientOf(cell) }, where),
    count: () => betweenArrivals(answering?.takeArrivals() ?? []),
  },
  { reasonOf: libraryReason },
);

/** The session that later connections resume; null where they do not. */
async function meet(path: string, speech: Speech, cell: HandshakeCell): Promise<Buffer | null> {
  if (cell.resumption === 'full' || Array.isArray(speech)) return null;
  return sessionOf((call) => callOver(path, speech, { cell: { ...cell, bytes: 1 }, ...call }));
}

/** Time from each connection to the next, for all but the last. */
function betweenArrivals(arrivals: readonly number[]): Float64Array<ArrayBuffer> {
  return Float64Array.from(arrivals.slice(1), (arrival, index) => arrival - (arrivals[index] as number));
}

/** Speech of one end over its socket: TLS, or the turns of a handshake without it. */
type Speech = SecureContext | readonly Turn[];

type Answering = {
  server: Server;
  /** CPU time of this process, in microseconds, at the arrival of each connection since it was last asked for. */
  takeArrivals(): number[];
};

/** Answers every connection to a socket at this path. */
async function listen(path: string, speech: Speech): Promise<Answering> {
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
function callOver(path: string, speech: Speech, call: Call): Promise<void> {
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
