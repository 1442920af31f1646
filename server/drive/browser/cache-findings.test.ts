/** Protects the findings of the cache section: what is claimed of sides, resources and sensitive pages. */
import { expect, test } from 'vitest';
import type { Transport } from '../../../shared/base/transport.ts';
import type {
  CachedResource,
  CacheSource,
  CacheVisit,
} from '../../../shared/kinds/comparison/cache-report.ts';
import { cacheFindings } from './cache-findings.ts';
import type { SideSummary } from './summarise-side.ts';

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
