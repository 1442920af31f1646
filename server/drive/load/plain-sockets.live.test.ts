/** Protects sockets that are connected again: where they lead, what they tell whom, and that a broken one is not used again. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { connectPlain, type SocketOwner } from './plain-sockets.ts';
import { wireBytesOf } from './wire-bytes.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

const buffer = Buffer.allocUnsafeSlow(1024);

/** Sends the text and ends, or resets. */
async function serve(host: string, answer: string | 'reset'): Promise<{ host: string; port: number }> {
  const server = createServer((socket) => {
    if (answer === 'reset') socket.resetAndDestroy();
    else socket.end(answer);
  });
  servers.push(server);
  await once(server.listen(0, host), 'listening');
  return { host, port: (server.address() as AddressInfo).port };
}

/** Reads until the socket closes. */
async function visit(to: { host: string; port: number }) {
  const told: string[] = [];
  let leadsTo: string | undefined;
  let bytes = 0;
  let socket: Socket | null = null;
  await new Promise<void>((done) => {
    const owner: SocketOwner = {
      received: (length) => told.push(buffer.toString('latin1', 0, length)),
      endedByServer: () => {
        told.push('end');
        if (socket !== null) bytes = wireBytesOf(socket).read;
        socket?.destroy();
      },
      failed: ({ code }) => told.push(code ?? ''),
      closed: () => {
        told.push('closed');
        done();
      },
    };
    socket = connectPlain(to, buffer, owner, ({ remoteAddress }) => {
      leadsTo = remoteAddress;
    });
  });
  return { socket: socket as Socket | null, told, leadsTo, bytes };
}

test('a closed socket is connected again, to another address, and counts its bytes anew', async () => {
  const first = await visit(await serve('127.0.0.1', 'one'));
  const second = await visit(await serve('127.0.0.2', 'second'));
  expect(second.socket).toBe(first.socket);
  expect([first.leadsTo, second.leadsTo]).toEqual(['127.0.0.1', '127.0.0.2']);
  expect([first.told, second.told]).toEqual([
    ['one', 'end', 'closed'],
    ['second', 'end', 'closed'],
  ]);
  expect([first.bytes, second.bytes]).toEqual([3, 6]);
});

test('a socket that was reset is not used again', async () => {
  const broken = await visit(await serve('127.0.0.1', 'reset'));
  expect(broken.told).toEqual(['ECONNRESET', 'closed']);
  const next = await visit(await serve('127.0.0.1', 'one'));
  expect(next.socket).not.toBe(broken.socket);
});
