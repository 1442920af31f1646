/** Protects readers from foreign words: check, run, probe, and import report every failure in our words, with the original as details. */
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreateRunInput } from '../../../shared/kinds/comparison/run-request.ts';
import { listen, serveHttp } from '../../testing/preflight-in-test.ts';
import { isEnd, openServerInTest, type ServerInTest } from '../../testing/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await openServerInTest();
});
afterAll(() => server.close());

/** Codes, places in libraries, and words of the schema library, of parsers, and of databases. */
const foreign =
  /\bE[A-Z]{5,}\b|ERR_|HPE_|SSL routines|:error:|\.c:\d|\b[0-9A-F]{8,}:|errno|Zod|invalid_type|Invalid input|Unexpected token|Missing semicolon|syntax error|regexp/;

async function post(
  path: string,
  body: string | object,
): Promise<{ status: number; reply: Reply; text: string }> {
  const isText = typeof body === 'string';
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: { Origin: server.url, 'Content-Type': isText ? 'application/octet-stream' : 'application/json' },
    body: isText ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, reply: JSON.parse(text), text };
}

type Told = { message?: string; detail?: string; reason?: string; details?: string | undefined };
type Reply = Told & {
  sides?: Record<string, { checks: (Told & { status: string })[] }>;
  verdict?: string;
  versions?: Told[];
};

const answering = (act: (socket: Socket) => unknown) =>
  listen(
    createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => act(socket));
    }),
  );
const alert = (number: number) => () =>
  answering((socket) => socket.end(Buffer.of(21, 3, 3, 0, 2, 2, number)));

test.each<[what: string, open: () => Promise<number>, original: RegExp]>([
  ['an alert about the suites', alert(40), /SSL routines.*handshake failure/],
  ['an alert that says nothing', alert(80), /SSL routines.*internal error/],
  [
    'an answer in plain HTTP',
    () => answering((socket) => socket.end('HTTP/1.1 400 No\r\n\r\n')),
    /wrong version/,
  ],
  ['a reset', () => answering((socket) => socket.resetAndDestroy()), /ECONNRESET/],
  ['a port where nothing is listening', async () => 1, /ECONNREFUSED/],
])('check, run, and probe report %s in our words', async (_, open, original) => {
  const port = await open();
  const target = {
    ...{ kind: 'origins', http: `http://127.0.0.1:${await serveHttp()}` },
    https: `https://127.0.0.1:${port}`,
  } as const;
  const { reply: checked } = await post('/preflight', { target });
  const failed = Object.values(checked.sides ?? {}).flatMap(({ checks }) =>
    checks.filter(({ status }) => status === 'fail'),
  );
  expectOurs(failed.map(({ message }) => message));
  expect(failed.map(({ details }) => details).join(' ')).toMatch(original);

  const problem = await problemOfRun(target);
  expectOurs([problem?.detail]);
  expect(problem?.details).toMatch(original);

  const { reply: probed } = await post('/probe', { url: target.https });
  const told = probed.versions ?? [probed];
  expectOurs(told.map(({ reason, detail }) => reason ?? detail));
  expect(told.map(({ details }) => details).join(' ')).toMatch(original);
});

test('check and run report an answer that is not HTTP in our words', async () => {
  const port = await answering((socket) => socket.end('HTTP/1.1 abc\r\n\r\n'));
  const target = { kind: 'origins', http: `http://127.0.0.1:${port}`, https: 'https://127.0.0.1:1' } as const;
  const { text } = await post('/preflight', { target });
  expect(text).toContain('sent an invalid response');
  expectOurs([(await problemOfRun(target))?.detail]);
});

test.each<[what: string, body: string, sentence: string, original: RegExp | null]>([
  ['half a HAR', '{"log":{"entries":[{"request":', 'Entry 1 of the HAR ends too early.', null],
  ['a HAR with a mistake', '{"log":{"entries":[{"request":nonsense', 'Entry 1 of the HAR is not JSON.', /\S/],
  ['a scenario with a mistake', '{"name":"x","steps":[}', 'The file is not JSON', /Unexpected|Expected/],
  ['another schema', '{"name":"x","steps":[{"method":7}]}', 'The scenario', null],
  [
    'a test with a mistake',
    "import { test } from '@playwright/test';\ntest('x', async ({ page }) => { await page.goto('http://x/'; });",
    'neither JavaScript nor TypeScript',
    null,
  ],
  ['an unclosed quote', "curl 'http://shop.test/", 'never closes it', null],
])('the import reports %s in our words', async (_, body, sentence, original) => {
  const { text, reply } = await post('/scenarios/import?name=a', body);
  const { details, ...told } = reply;
  expectOurs([JSON.stringify(told)]);
  expect(text).toContain(sentence);
  if (original !== null) expect(details).toMatch(original);
});

/** A run is refused when it is asked for, or when it checks its target. */
async function problemOfRun(target: CreateRunInput['target']): Promise<Told | null> {
  const { status, reply } = await post('/measurements', { kind: 'comparison', target, secrets: {} });
  if (status >= 400) return reply;
  const { id } = reply as { id: string };
  await server.until(id, isEnd);
  return (await server.document(id)).problem;
}

function expectOurs(sentences: readonly (string | undefined)[]): void {
  expect(sentences.length).toBeGreaterThan(0);
  for (const sentence of sentences) {
    expect(sentence).toMatch(/\S/);
    expect(sentence).not.toMatch(foreign);
    expect(sentence).not.toMatch(/\p{Cc}/u);
  }
}
