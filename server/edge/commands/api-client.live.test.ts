/** Protects the command line from a dashboard that ends or answers something else: one sentence and exit code 1. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runCommandInTest } from '../../testing/command-in-test.ts';
import { connectTo } from './api-client.ts';

async function openAnswering(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => answer(response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The beginning of an answer, and the end of the connection. */
function cut(response: ServerResponse, text: string): void {
  response.write(text, () => response.destroy());
}

const state = { type: 'state', state: 'queued', atMs: 0 };

test('a dashboard that ends while the command waits for its events', async () => {
  const url = await openAnswering((response) => cut(response, 'event: x\n'));
  const { events } = connectTo({ url, key: null });
  await expect(Array.fromAsync(events('abc'))).rejects.toMatchObject({
    problem: { code: 'server_unreachable', detail: `${url} closed the connection.` },
  });
});

test('events that this version does not know', async () => {
  const url = await openAnswering((response) =>
    response.end(`data: ${JSON.stringify({ ...state, type: 'z' })}\n\n`),
  );
  const { events } = connectTo({ url, key: null });
  await expect(Array.fromAsync(events('abc'))).rejects.toMatchObject({
    problem: { code: 'server_unreachable', detail: expect.stringContaining('not as this version') },
  });
});

test.each([
  [
    'ends in the middle of an answer',
    (response: ServerResponse) => cut(response, '{"run'),
    'closed the connection.',
    'other side closed (UND_ERR_SOCKET)',
  ],
  [
    'is a page of something else',
    (response: ServerResponse) => response.end('<html>'),
    'answered, but not as this version of TLS Toll does.',
  ],
  [
    'answers JSON of something else',
    (response: ServerResponse) => response.end('{"a":1}'),
    'answered, but not as this version of TLS Toll does.',
  ],
  [
    'refuses in words of its own',
    (response: ServerResponse) => response.writeHead(502).end('Bad gateway'),
    'answered 502, not as TLS Toll does.',
  ],
] as [string, (response: ServerResponse) => void, string, string?][])(
  'a server that %s',
  async (_, answer, words, details) => {
    const url = await openAnswering(answer);
    expect(await runCommandInTest(['generators'], { TLS_TOLL_SERVER: url })).toEqual({
      code: 1,
      stdout: '',
      stderr: `${url} ${words}\nCheck TLS_TOLL_SERVER, the network, and that the dashboard is running.\n${details === undefined ? '' : `Details: ${details}\n`}`,
    });
  },
);
