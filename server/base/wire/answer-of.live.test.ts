/** Protects that a request of ours is answered or fails: no server makes it wait for ever. */
import { once } from 'node:events';
import { get } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { answerOf, SwitchedProtocols } from './answer-of.ts';

async function ask(serve: (socket: Socket) => void, signal?: AbortSignal) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => serve(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked = get({ host: '127.0.0.1', port, agent: false, ...(signal === undefined ? {} : { signal }) });
  try {
    return await answerOf(asked);
  } finally {
    asked.destroy();
    server.close();
  }
}

test('a response is one', async () => {
  const answered = await ask((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
  expect(answered.statusCode).toBe(204);
});

test('a 101 fails, with an upgrade and without', async () => {
  const head = 'HTTP/1.1 101 Switching Protocols\r\n';
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  await expect(ask((socket) => socket.write(`${head}${upgrade}\r\n`))).rejects.toThrow(SwitchedProtocols);
  await expect(ask((socket) => socket.write(`${head}\r\n`))).rejects.toThrow(SwitchedProtocols);
});

test('an end without a response fails', async () => {
  await expect(ask((socket) => socket.destroy())).rejects.toThrow();
  await expect(ask((socket) => socket.end())).rejects.toThrow();
});

test('interim responses without end fail with the signal', async () => {
  const signal = AbortSignal.timeout(300);
  const drip = (socket: Socket) => {
    const writing = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
    socket.once('close', () => clearInterval(writing));
  };
  await expect(ask(drip, signal)).rejects.toThrow();
});
