/** Protects the drawing of visits: parts in their order, the finding in words, and pictures of both sides at the same moments. */
import { expect, test } from 'vitest';
import type { VisitedPage } from '../../../shared/kinds/visits/visits.ts';
import { sidesOf } from '../../format/sides.ts';
import { filmColumns, lanesOf, waterfallInWords } from './pages-section.tsx';

const sides = sidesOf({ baseline: { transport: 'http' }, comparison: { transport: 'https' } });
const request = (tlsUs: number, cached = false) => ({
  ...{ name: '/static/site.css', type: 'stylesheet', protocol: 'http/1.1', status: 200, cached, bytes: 5 },
  ...{ startUs: 1_000, queuedUs: 10, dnsUs: 1, connectUs: 4, tlsUs, waitUs: 30, receiveUs: 7 },
});
const page = (tlsUs: number, loadUs: number): VisitedPage => ({
  ...{ path: '/', ttfbUs: 5_000, fcpUs: 40_000, lcpUs: 40_000, loadUs, more: 2 },
  requests: [request(tlsUs), request(0, true)],
});
const pages = { baseline: page(0, 100_000), comparison: page(9_000, 120_000) };

test('a request is its parts in their order, and one from the cache is one part', () => {
  const [, lane] = lanesOf(pages, sides);
  expect(lane?.rows[0]).toEqual({
    name: 'site.css',
    start: 1_000,
    parts: [
      { fill: 'line', length: 10 },
      { fill: 'hatched', length: 5 },
      { fill: 'solid', length: 9_000 },
      { fill: 'half', length: 30 },
      { fill: 'pale', length: 7 },
    ],
  });
  expect(lane?.rows[1]?.parts.map(({ fill }) => fill)).toEqual(['cached']);
  expect(lane?.lead).toBe('first byte 5.00 ms, first paint 40.0 ms, load 120 ms; 2 more requests not drawn');
  expect(lane?.marks.map(({ name }) => name)).toEqual(['First contentful paint', 'Load']);
});

test('the finding says how long each side took and what TLS did in it', () => {
  expect(waterfallInWords('/', pages, sides)).toBe(
    '/ loaded in 100 ms with HTTP and 120 ms with HTTPS; 1 TLS handshake with HTTPS, 9.00 ms added up',
  );
});

test('both sides are shown at the same moments, blank before their first picture', () => {
  const film = {
    baseline: [{ path: '/', frames: [{ atUs: 40_000, picture: 'AAAA' }] }],
    comparison: [{ path: '/', frames: [{ atUs: 95_000, picture: 'BBBB' }] }],
  };
  const columns = filmColumns(film, 0);
  expect(columns.map(({ atUs }) => atUs)).toEqual([40_000, 60_000, 80_000, 100_000]);
  expect(columns.map(({ pictures }) => pictures.baseline?.isNew ?? null)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(columns.map(({ pictures }) => pictures.comparison?.isNew ?? null)).toEqual([null, null, null, true]);
  expect(filmColumns(film, 1)).toEqual([]);
});
