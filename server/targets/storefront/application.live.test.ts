/** Protects the storefront’s pages: their links, procedures and headers, and visitors from markup. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Listener } from '../../../shared/target/target.ts';
import { ask, askForm } from '../../testing/ask-in-test.ts';
import { createApplication } from './application.ts';
import { openAccessLog } from './exchange.ts';
import { createListener, openStore } from './listener.ts';
import { searchScenario } from './search-scenario.ts';
import { type Store, seedSqlite } from './store.ts';

let directory: string;
let server: Server;
let listener: Listener;
const called: string[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tls-toll-application-'));
  const path = join(directory, 'shop.sqlite');
  seedSqlite(path);
  const store = noting(await openStore({ kind: 'sqlite', path }));
  const application = createApplication(store, openAccessLog(join(directory, 'access.log')));
  server = createListener(application, {
    certificate: null,
    httpVersion: '1.1',
    certificateCompression: 'none',
  }).server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  listener = {
    arm: 'baseline',
    transport: 'http',
    hostname: 'localhost',
    address: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    ca: null,
    pid: process.pid,
  };
});
afterAll(async () => {
  server.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(() => {
  called.length = 0;
});

/** The real store, with a note of each procedure that is run. */
function noting(store: Store): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      called.push(String(name));
      return Reflect.get(target, name, receiver);
    },
  });
}

test('One pass of the Search scenario runs the four procedures', async () => {
  for (const step of searchScenario.steps) {
    const { status } = await ask(listener, { ...step, body: step.body ?? '' });
    expect(status).toBe(200);
  }
  expect([...new Set(called)].sort()).toEqual([
    'productCategoryList',
    'productSearch',
    'productsMostPopular',
    'reviewsLatest',
  ]);
});

test('The results of a search hold what was searched for', async () => {
  const body = (await askForm(listener, 'q=travel+lamp&category=3')).body.toString();
  expect(body).toMatch(
    /<p class="count" role="status">The 20 most sold of \d+ products found for <q>travel lamp<\/q>/,
  );
  expect(body).toContain('<option value="3" selected>Travel (200)</option>');
  expect(body.match(/<article class="card"/g)).toHaveLength(20);
});

test('A link to a department opens the form with that department chosen', async () => {
  const { body } = await ask(listener, { path: '/search?category=7' });
  expect(body.toString()).toContain('<option value="7" selected>Cameras (200)</option>');
});

test('Every link and picture of the pages leads somewhere', async () => {
  const found = new Set<string>();
  for (const path of searchScenario.pages) {
    const { body } = await ask(listener, { path });
    for (const [, target = ''] of body.toString().matchAll(/(?:href|src)="(\/[^"]*)"/g)) found.add(target);
  }
  expect(found.size).toBeGreaterThan(25);
  for (const path of found) expect([path, (await ask(listener, { path })).status]).toEqual([path, 200]);
});

test('What a visitor types comes back as text, never as markup', async () => {
  const { body } = await askForm(listener, `q=${encodeURIComponent('"><script>alert(1)</script>')}`);
  expect(body.toString()).not.toContain('<script>alert');
  expect(body.toString()).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
});

test('The sensitive page forbids every cache to store it', async () => {
  expect((await ask(listener, { path: '/account' })).headers['cache-control']).toBe('no-store');
});

test.for([
  ['/assets/site.css', 'text/css; charset=utf-8', 'public, max-age=86400'],
  ['/assets/site.js', 'text/javascript; charset=utf-8', 'public, max-age=86400'],
  ['/assets/offers.js', 'text/javascript; charset=utf-8', 'no-cache'],
  ['/assets/category-12.svg', 'image/svg+xml', 'public, max-age=86400'],
  ['/favicon.ico', 'image/svg+xml', 'public, max-age=86400'],
] as const)(
  '%s has a strong validator, and 304 is all that is sent to who has it',
  async ([path, type, control]) => {
    const first = await ask(listener, { path });
    expect(first).toMatchObject({ status: 200, headers: { 'content-type': type, 'cache-control': control } });
    const { etag = '' } = first.headers;
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    const again = await ask(listener, { path, headers: { 'if-none-match': etag } });
    expect(again).toMatchObject({ status: 304, headers: { etag, 'cache-control': control } });
    expect(again.body).toHaveLength(0);
    expect((await ask(listener, { path, headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  },
);

test('HEAD gives the headers of GET and no body', async () => {
  const [get, head] = await Promise.all([
    ask(listener, { path: '/' }),
    ask(listener, { path: '/', method: 'HEAD' }),
  ]);
  expect(head.headers['content-length']).toBe(get.headers['content-length']);
  expect(head.body).toHaveLength(0);
});

test.for([
  ['no words', '', 400],
  ['a word too many characters long', `q=${'x'.repeat(101)}`, 400],
  ['two fields of one name', 'q=a&q=b', 400],
  ['a control character', 'q=a%00b', 400],
  ['a department that does not exist', 'q=lamp&category=99', 400],
  ['a department that is no number', 'q=lamp&category=x', 400],
  ['more fields than it has', 'q=lamp&a&b&c&d&e&f&g&h&i&j', 413],
  ['more than 4 kB', `q=lamp&x=${'x'.repeat(5000)}`, 413],
  ['broken escapes', 'q=%zz%', 200],
  ['bytes that are no UTF-8', 'q=%ff%fe', 200],
  ['the signs of a query language', `q=${encodeURIComponent(`" OR * NEAR( ') :* & | ! --`)}`, 200],
  ['nothing but signs', 'q=%21%3F', 200],
  ['a name that objects inherit', '__proto__=x&q=lamp&constructor=y', 200],
] as const)('A form with %s gets a page', async ([, body, expected]) => {
  const { status, headers } = await askForm(listener, body);
  expect(status).toBe(expected);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
});

test.for([
  ['GET', '/nothing', 404],
  ['GET', '/Search', 404],
  ['GET', '/search/', 404],
  ['GET', '/assets/../process.ts', 404],
  ['GET', '/%zz', 404],
  ['GET', '/search?category=%zz&category=1', 200],
  ['DELETE', '/', 405],
  ['PUT', '/search', 405],
  ['POST', '/assets/site.css', 405],
  ['OPTIONS', '/account', 405],
] as const)('%s %s gets %i', async ([method, path, expected]) => {
  const { status, headers } = await ask(listener, { method, path });
  expect(status).toBe(expected);
  if (expected === 405) expect(headers.allow).toMatch(/^GET, HEAD/);
});

test.for([
  ['JSON', 'application/json', '{"q":"lamp"}', 415],
  ['an unknown character set', 'application/x-www-form-urlencoded; charset=utf-16', 'q=lamp', 415],
  ['a broken content type', ';;;', 'q=lamp', 415],
] as const)('A search sent as %s is refused', async ([, type, body, expected]) => {
  const reply = await ask(listener, {
    method: 'POST',
    path: '/search',
    headers: { 'content-type': type },
    body,
  });
  expect(reply.status).toBe(expected);
});

test('What is not HTTP is answered with 400', async () => {
  const socket = connect(listener.port, listener.address);
  socket.end('HELO storefront\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
});
