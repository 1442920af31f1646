/** Protects the findings of the cache section: what is claimed of sides, resources and sensitive pages. */

import { expect, test } from 'vitest';
import type { Transport } from '../../../shared/base/transport.ts';
import type {
  CachedResource,
  CacheSource,
  CacheVisit,
} from '../../../shared/kinds/comparison/cache-report.ts';
import type { Exchange } from '../../intake/traffic/page-exchange.ts';
import { cacheFindings, type SideSummary, summariseSide } from './measure-cache.ts';

type Uses = Record<string, CacheSource | Partial<CachedResource>>;

function visit(uses: Uses): CacheVisit {
  const resources = Object.entries(uses).map(
    ([path, use]): CachedResource => ({
      path,
      type: 'document',
      status: 200,
      source: 'network',
      bytes: 1000,
      contentEncoding: 'gzip',
      cacheControl: '',
      sensitive: false,
      ...(typeof use === 'string' ? { source: use, bytes: use === 'cache' ? 0 : 1000 } : use),
    }),
  );
  const count = (source: CacheSource) => resources.filter((resource) => resource.source === source).length;
  return {
    requests: resources.length,
    fromNetwork: count('network'),
    fromCache: count('cache'),
    revalidated: count('revalidated'),
    notStored: count('not_stored'),
    bytes: resources.reduce((sum, { bytes }) => sum + bytes, 0),
    loadMs: 1,
    resources,
  };
}

function summary(
  transport: Transport,
  cold: Uses,
  warm: Uses,
  facts: Partial<SideSummary> = {},
): SideSummary {
  return {
    side: { transport, cold: visit(cold), warm: visit(warm) },
    protocols: ['http/1.1'],
    offeredEncodings: 'gzip, deflate',
    otherHosts: [],
    failures: [],
    ...facts,
  };
}

function both(cold: Uses, warm: Uses, sensitivePaths: string[] = []): string[] {
  return cacheFindings(summary('http', cold, warm), summary('https', cold, warm), sensitivePaths);
}

test('two sides that cache alike are said to, with how many resources came from the cache', () => {
  const findings = both({ '/': 'network', '/a.css': 'network' }, { '/': 'network', '/a.css': 'cache' });
  expect(findings[0]).toBe(
    'HTTPS is cached like HTTP: on the warm visit 1 of 2 resources came from the cache on both sides.',
  );
  expect(findings).toContain(
    'Over https the cold visit fetched 2.0 kB and the warm one 1.0 kB: 50.0 % saved.',
  );
});

test('a cache that serves one side only is named, resource by resource', () => {
  const cold: Uses = { '/': 'network', '/a.css': 'network' };
  const findings = cacheFindings(
    summary('http', cold, { '/': 'network', '/a.css': 'cache' }),
    summary('https', cold, { '/': 'network', '/a.css': 'network' }),
    [],
  );
  expect(findings.slice(0, 2)).toEqual([
    'HTTPS is not cached like HTTP: on the warm visit 1 of 2 resources came from the cache over http and none of 2 resources over https.',
    'Cached differently: /a.css was taken from the cache over http and fetched again over https.',
  ]);
});

test('equal counts do not hide that different resources were cached', () => {
  const cold: Uses = { '/a': 'network', '/b': 'network' };
  const findings = cacheFindings(
    summary('http', cold, { '/a': 'cache', '/b': 'network' }),
    summary('https', cold, { '/a': 'network', '/b': 'cache' }),
    [],
  );
  expect(findings[0]).toContain('HTTPS is not cached like HTTP');
  expect(findings[1]).toContain('/a was taken from the cache over http');
  expect(findings[1]).toContain('/b was fetched again over http');
});

test('a long list names five and counts the rest', () => {
  const cold = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`/${n}`, 'network' as const]));
  const warm = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`/${n}`, 'revalidated' as const]));
  expect(both(cold, warm)).toContain(
    'Revalidated on both sides, so asked for but not sent again (304): /0, /1, /2, /3, /4 and 3 more.',
  );
});

test('a revalidation on one side only is reported for that side', () => {
  const findings = cacheFindings(
    summary('http', { '/': 'network' }, { '/': 'revalidated' }),
    summary('https', { '/': 'network' }, { '/': 'network' }),
    [],
  );
  expect(findings).toContain('Revalidated over http, so asked for but not sent again (304): /.');
  expect(findings.join()).not.toContain('Revalidated over https');
});

test('the same HTTP version and encodings are a comparison of TLS only', () => {
  const findings = cacheFindings(
    summary('http', { '/': 'network' }, { '/': 'cache' }),
    summary('https', { '/': 'network' }, { '/': 'cache' }, { offeredEncodings: 'gzip, deflate, br, zstd' }),
    [],
  );
  expect(findings).toContain(
    'Compared is TLS only: both sides spoke HTTP/1.1 and sent every resource in the same encoding. Over https Chromium also offers br and zstd, which this target does not use.',
  );
});

test('another encoding or HTTP version is a comparison of what users get', () => {
  const findings = cacheFindings(
    summary('http', { '/': 'network' }, { '/': 'cache' }),
    summary(
      'https',
      { '/': { contentEncoding: 'br' } },
      { '/': 'cache' },
      {
        offeredEncodings: 'gzip, deflate, br',
        protocols: ['h2'],
      },
    ),
    [],
  );
  expect(findings).toContain(
    'Compared is what users get, not TLS only: http spoke HTTP/1.1 and https HTTP/2; / came as gzip over http and as br over https. Over https Chromium also offers br.',
  );
});

test('a sensitive page that was never stored is said so', () => {
  const account: Uses = { '/account': { source: 'not_stored', cacheControl: 'no-store' } };
  expect(both(account, account, ['/account'])).toContain(
    '/account is never cached on either side (no-store).',
  );
});

test.each(['cache', 'revalidated'] as const)(
  'a sensitive page out of the cache (%s) is an alarm for its side',
  (source) => {
    const stored: Uses = { '/account': 'not_stored' };
    const findings = cacheFindings(
      summary('http', stored, stored),
      summary('https', { '/account': 'network' }, { '/account': source }),
      ['/account'],
    );
    expect(findings).toContain(
      '/account is sensitive and came from the cache over https. Send it with Cache-Control: no-store.',
    );
    expect(findings.join()).not.toContain('never cached');
  },
);

test('a sensitive page that was fetched twice but may be stored is no all-clear', () => {
  const account: Uses = { '/account': { source: 'network', cacheControl: 'private' } };
  expect(both(account, account, ['/account'])).toContain(
    '/account is sensitive and did not come from the cache on either side, but a browser may store it (Cache-Control: private). Send it with Cache-Control: no-store.',
  );
});

test('nothing is claimed about a sensitive page that did not load', () => {
  expect(both({ '/': 'network' }, { '/': 'cache' }, ['/account'])).toContain(
    'Nothing can be said about /account, which is sensitive: it did not load over http and https.',
  );
});

test('what only one side asked for, what failed and what went elsewhere is reported', () => {
  const findings = cacheFindings(
    summary('http', { '/': 'network', '/old.js': 'network' }, {}, { otherHosts: ['cdn.test'] }),
    summary(
      'https',
      { '/': 'network' },
      {},
      { failures: ['/new.js (net::ERR_FAILED)'], otherHosts: ['cdn.test'] },
    ),
    [],
  );
  expect(findings).toEqual(
    expect.arrayContaining([
      'Asked for over http only: /old.js.',
      'Did not load: /new.js (net::ERR_FAILED) over https.',
      'The pages ask other origins too, which are not counted here: cdn.test.',
    ]),
  );
});

/** Protects the summary of a side’s visits: each resource once, from where it came. */

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
