import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Arm } from '../../../shared/transport.ts';
import type { DeskPlace } from '../../policy/k6-cluster.ts';
import { listenAt } from '../../process/listen-at.ts';

/** What virtual users do until its time is over: groups of a turn on each arm, at least one group. */
export type Order = {
  arms: readonly Arm[];
  /** Who take it, of all. */
  users: number;
  durationMs: number;
  turnTransactions: number;
  seed: number;
  firstRow: number;
  sameRow: boolean;
};

export type OrderDesk = {
  /** Where virtual users ask; the path is a secret between them and us. */
  address: string;
  /** Resolves when this many virtual users wait for an order. */
  waiting(users: number): Promise<void>;
  /** Gives an order out. Resolves with its number when all who took it have asked for the next: nothing is in flight. */
  give(order: Order): Promise<number>;
  close(): void;
};

const idleMs = 25_000;
/** Of what one virtual user has measured since it asked last. */
const longestReport = 64 * 2 ** 20;

/**
 * Where the virtual users of k6 ask what to do next. Each holds one request open here while it waits.
 * @param place null for loopback, on a free port
 * @param hear of each line that somebody posts along, and of who posts
 * Throws address_in_use, invalid_environment.
 */
export async function openOrderDesk(
  place: DeskPlace | null,
  hear: (line: string, userAgent: string) => void,
): Promise<OrderDesk> {
  const path = `/${randomBytes(24).toString('hex')}`;
  const idle = new Map<string, { response: ServerResponse; timer: NodeJS.Timeout }>();
  let taken = new Set<string>();
  let number = 0;
  let wanted = 0;
  let enough: () => void = () => {};

  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '/', 'http://localhost');
    const user = url?.searchParams.get('user') ?? null;
    if (url?.pathname !== path || user === null) {
      response.writeHead(404, { connection: 'close' }).end();
      return;
    }
    readAll(request, (text) => {
      const userAgent = request.headers['user-agent'] ?? '';
      for (const line of text.split('\n')) hear(line, userAgent);
      wait(user, response);
    });
  });

  function wait(user: string, response: ServerResponse): void {
    const leave = () => {
      if (idle.get(user)?.response === response) idle.delete(user);
    };
    const timer = setTimeout(() => {
      leave();
      response.writeHead(204).end();
    }, idleMs);
    response.on('close', () => {
      clearTimeout(timer);
      leave();
    });
    idle.set(user, { response, timer });
    taken.delete(user);
    if (idle.size >= wanted && taken.size === 0) enough();
  }

  server.keepAliveTimeout = 120_000;
  await listenAt(
    server,
    place === null ? { host: '127.0.0.1', port: 0 } : { host: everywhere(place), port: place.port },
  );
  const { port } = server.address() as AddressInfo;

  function until(users: number): Promise<void> {
    if (idle.size >= users && taken.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      wanted = users;
      enough = resolve;
    });
  }

  return {
    address: `http://${place === null ? '127.0.0.1' : place.host}:${port}${path}`,
    waiting: until,
    async give(order) {
      number++;
      const id = number;
      await until(order.users);
      const takers = [...idle].toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, order.users);
      taken = new Set(takers.map(([user]) => user));
      for (const [index, [user, { response, timer }]] of takers.entries()) {
        clearTimeout(timer);
        idle.delete(user);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ ...order, id, user: index }));
      }
      await until(order.users);
      return id;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Pods come to whatever address leads here; on loopback nobody else should. */
function everywhere({ host }: DeskPlace): string {
  if (host === 'localhost' || host.startsWith('127.')) return '127.0.0.1';
  return host.startsWith('[') ? '::' : '0.0.0.0';
}

function readAll(request: IncomingMessage, done: (text: string) => void): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  request.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > longestReport) request.destroy();
    pieces.push(piece);
  });
  request.on('end', () => done(Buffer.concat(pieces).toString('utf8')));
}
