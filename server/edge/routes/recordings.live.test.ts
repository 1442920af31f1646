/** Protects recordings over HTTP and their WebSocket. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { apiPrefix } from '../../../shared/base/addresses.ts';
import { importReportSchema } from '../../../shared/scenario/import.ts';
import {
  type CreatedRecording,
  createdRecordingSchema,
  type RecorderMessage,
  recorderMessageSchema,
  recorderProtocol,
} from '../../../shared/scenario/recorder.ts';
import { chromiumInTest } from '../../testing/chromium-in-test.ts';
import { openServerInTest, type ServerInTest } from '../../testing/server-in-test.ts';

let server: ServerInTest;
let created: CreatedRecording;

beforeAll(async () => {
  server = await openServerInTest(undefined, { chromiumPath: chromiumInTest });
  const response = await post('/recordings', { url: 'storefront' });
  created = createdRecordingSchema.parse(await response.json());
});
afterAll(() => server.close());

function post(path: string, body: unknown): Promise<Response> {
  return fetch(server.url + apiPrefix + path, {
    method: 'POST',
    headers: { Origin: server.url, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

function connect(ticket: string, origin = server.url): WebSocket {
  const address = `${server.url.replace('http', 'ws')}${apiPrefix}/recordings/${created.sid}`;
  return new WebSocket(address, [recorderProtocol, ticket], { origin });
}

/** The status that a socket is refused with. */
function problem(socket: WebSocket): Promise<number | undefined> {
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode);
      socket.terminate();
    });
    socket.on('open', () => resolve(101));
  });
}

describe('a recording over the API', () => {
  test('sends its picture and takes input over a WebSocket, and ends in a report', async () => {
    const socket = connect(created.ticket);
    const pictures: Buffer[] = [];
    const title = new Promise<void>((resolve) => {
      socket.on('message', (content, isBinary) => {
        if (isBinary) {
          pictures.push(content as Buffer);
          socket.send(JSON.stringify({ type: 'drawn' }));
          return;
        }
        const message: RecorderMessage = recorderMessageSchema.parse(JSON.parse(`${content}`));
        if (message.type === 'tabs' && message.tabs[0]?.loading === false && message.tabs[0].title !== '')
          resolve();
      });
    });
    await title;
    expect(pictures[0]?.subarray(0, 2).toString('hex')).toBe('ffd8');

    expect(await problem(connect(created.ticket))).toBe(401);
    const { ticket } = (await (await post(`/recordings/${created.sid}/tickets`, {})).json()) as {
      ticket: string;
    };
    expect(await problem(connect(ticket, 'http://evil.example'))).toBe(403);

    expect(await (await post('/recordings', { url: 'storefront' })).json()).toMatchObject({
      code: 'machine_busy',
    });

    const finished = await post(`/recordings/${created.sid}/finish`, { name: 'Home' });
    const report = importReportSchema.parse(await finished.json());
    expect(report).toMatchObject({
      format: 'recording',
      site: 'storefront',
      scenario: { name: 'Home', steps: [{ method: 'GET', path: '/', expectStatus: 200 }] },
      actions: [{ type: 'goto' }],
    });
    socket.close();
  });

  test.each([
    [{ url: 'file:///etc/passwd' }, 400],
    [{ url: 'http://127.0.0.1/', viewport: { width: 9, height: 9 } }, 400],
    [{}, 400],
  ])('%o is refused in a sentence', async (body, status) => {
    const response = await post('/recordings', body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code: 'invalid_request' });
  });

  test('may be a replay of what a test does, at another place than it was written for', async () => {
    const search = [
      { type: 'goto', url: 'https://shop.example/search' },
      { type: 'fill', locator: [{ by: 'selector', selector: '#q' }], value: 'lantern' },
      { type: 'press', locator: [{ by: 'selector', selector: '#q' }], key: 'Enter' },
      { type: 'expect_visible', locator: [{ by: 'text', match: { type: 'text', text: 'Search results' } }] },
    ].map((action) => ({ line: null, page: 0, ...action }));
    const replay = await post('/recordings/replays', { actions: search, at: 'storefront' });
    const { sid } = (await replay.json()) as { sid: string };
    const finished = await post(`/recordings/${sid}/finish`, {});
    expect(importReportSchema.parse(await finished.json())).toMatchObject({
      scenario: {
        steps: [
          { method: 'GET', path: '/search' },
          { method: 'POST', path: '/search', checks: [{ text: 'Search results' }] },
        ],
      },
      actions: [{ type: 'goto', url: expect.stringContaining('/search') }, {}, {}, {}],
      unsupported: [],
    });
  });

  test.each([
    'http://169.254.169.254/',
    'http://0x0a000001/',
    'http://[::ffff:10.0.0.1]/',
    'https://nothing.invalid/',
  ])('does not begin at %s', async (url) => {
    expect(await (await post('/recordings', { url })).json()).toMatchObject({ code: 'target_not_permitted' });
  });

  test('that is not known is said to be none', async () => {
    expect((await post('/recordings/0000000000000000000000/finish', {})).status).toBe(404);
  });
});
