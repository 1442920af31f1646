import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Arm } from '../../../shared/transport.ts';
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
  /** Where virtual users ask; the path is a secret of this machine's user. */
  address: string;
  /** Resolves when this many virtual users wait for an order. */
  waiting(users: number): Promise<void>;
  /** Gives an order out. Resolves with its number when all who took it have asked for the next: nothing is in flight. */
  give(order: Order): Promise<number>;
  close(): void;
};

const idleMs = 25_000;

/** Where the virtual users of k6 ask what to do next, on loopback. Each holds one request open here while it waits. */
export async function openOrderDesk(): Promise<OrderDesk> {
  const path = `/${randomBytes(24).toString('hex')}`;
  const idle = new Map<string, { response: ServerResponse; timer: NodeJS.Timeout }>();
  let taken = new Set<string>();
  let number = 0;
  let wanted = 0;
  let enough: () => void = () => {};

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const user = searchParams.get('user');
    if (pathname !== path || user === null) {
      response.writeHead(404).end();
      return;
    }
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
  });
  server.keepAliveTimeout = 120_000;
  await listenAt(server, { host: '127.0.0.1', port: 0 });
  const { port } = server.address() as AddressInfo;

  function until(users: number): Promise<void> {
    if (idle.size >= users && taken.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      wanted = users;
      enough = resolve;
    });
  }

  return {
    address: `http://127.0.0.1:${port}${path}`,
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
