/** Protects the summary of a side’s visits: each resource once, from where it came. */
import { expect, test } from 'vitest';
import type { Exchange } from '../../intake/traffic/page-exchange.ts';
import { summariseSide } from './summarise-side.ts';

const origin = 'https://shop.test:8443';

function exchange(path: string, facts: Partial<Exchange> = {}): Exchange {
  return {
    url: origin + path,
    type: 'document',
    status: 200,
    fromCache: false,
    bytes: 100,
    headers: {},
    protocol: 'http/1.1',
    securityState: 'secure',
    offeredEncodings: null,
    failure: null,
    ...facts,
  };
}

function summarise(cold: Exchange[], warm: Exchange[] = [], sensitivePaths: string[] = []) {
  const side = { transport: 'https' as const, origin };
  return summariseSide(
    { ...side, cold: { exchanges: cold, loadMs: 12 }, warm: { exchanges: warm, loadMs: 3 } },
    sensitivePaths,
  );
}

test('each resource is counted by where it came from, and the counts add up to the requests', () => {
  const { cold } = summarise([
    exchange('/fetched'),
    exchange('/kept', { fromCache: true, bytes: 0 }),
    exchange('/asked', { status: 304, bytes: 20 }),
    exchange('/secret', { headers: { 'cache-control': 'private, no-store' } }),
  ]).side;
  expect(cold.resources.map(({ path, source }) => [path, source])).toEqual([
    ['/fetched', 'network'],
    ['/kept', 'cache'],
    ['/asked', 'revalidated'],
    ['/secret', 'not_stored'],
  ]);
  expect(cold).toMatchObject({
    requests: 4,
    fromNetwork: 1,
    fromCache: 1,
    revalidated: 1,
    notStored: 1,
    bytes: 220,
    loadMs: 12,
  });
});

test('a header that only resembles no-store forbids nothing', () => {
  const { cold } = summarise([
    exchange('/a', { headers: { 'cache-control': 'x-no-store-hint, max-age=5' } }),
  ]).side;
  expect(cold.resources[0]?.source).toBe('network');
});

test('a resource of several pages is one entry: its use that reached furthest, with the bytes of all', () => {
  const { cold } = summarise([
    exchange('/app.css', { bytes: 500 }),
    exchange('/app.css', { status: 304, bytes: 30 }),
    exchange('/app.css', { fromCache: true, bytes: 0 }),
  ]).side;
  expect(cold.resources).toHaveLength(1);
  expect(cold.resources[0]).toMatchObject({ path: '/app.css', source: 'network', status: 200, bytes: 530 });
  expect(cold.requests).toBe(1);
});

test('another query is another resource, but just as sensitive', () => {
  const { cold } = summarise(
    [exchange('/account?tab=1'), exchange('/account?tab=2'), exchange('/')],
    [],
    ['/account'],
  ).side;
  expect(cold.resources.map(({ path, sensitive }) => [path, sensitive])).toEqual([
    ['/account?tab=1', true],
    ['/account?tab=2', true],
    ['/', false],
  ]);
});

test('other origins, data URLs and requests without a response are no resources of the side', () => {
  const summary = summarise([
    exchange('/'),
    exchange('', { url: 'https://shop.test:8444/near-miss' }),
    exchange('', { url: 'data:image/png;base64,AA==' }),
    exchange('/broken.js', { status: 0, failure: 'net::ERR_EMPTY_RESPONSE' }),
  ]);
  expect(summary.side.cold.resources.map(({ path }) => path)).toEqual(['/']);
  expect(summary.otherHosts).toEqual(['shop.test:8444']);
  expect(summary.failures).toEqual(['/broken.js (net::ERR_EMPTY_RESPONSE)']);
});

test('an answer that is an error is a resource and a failure', () => {
  const summary = summarise([exchange('/gone', { status: 404 })], [exchange('/gone', { status: 404 })]);
  expect(summary.side.cold.resources[0]).toMatchObject({ path: '/gone', status: 404 });
  expect(summary.failures).toEqual(['/gone (status 404)']);
});

test('protocols and offered encodings are those of requests that left the browser', () => {
  const summary = summarise(
    [exchange('/', { offeredEncodings: 'gzip, br', protocol: 'h2' })],
    [exchange('/', { fromCache: true, protocol: 'h2' })],
  );
  expect(summary.protocols).toEqual(['h2']);
  expect(summary.offeredEncodings).toBe('gzip, br');
});
