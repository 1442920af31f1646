/** Protects the waterfalls and the filmstrips of a pass: each request and picture is with its page, and no query is kept. */
import { expect, test } from 'vitest';
import { mostFilmBytes, mostFrames, mostRequests } from '../../../shared/kinds/visits/visits.ts';
import type { TimedExchange } from './record-exchanges.ts';
import { filmOf, pagesOf } from './visit-arm.ts';

const vitals = (timeOrigin: number, path: string) => ({
  ...{ timeOrigin, path, ttfbMs: 5, fcpMs: null, lcpMs: null, loadMs: 50 },
});
const exchange = (url: string, atMs: number): TimedExchange => ({
  ...{ url, type: 'image', status: 200, fromCache: false, bytes: 10.4, headers: {}, protocol: 'h2' },
  ...{ securityState: 'secure', offeredEncodings: null, failure: null, tls: null },
  times: { atMs, queuedMs: 1, dnsMs: 0, connectMs: 0, tlsMs: 0, waitMs: 2, receiveMs: 3 },
});

test('a request is with the page whose navigation began before it, by its path alone', () => {
  const pages = pagesOf(
    [vitals(2_000, '/b'), vitals(1_000, '/a')],
    [
      exchange('https://shop.test/b?token=secret', 2_000.5),
      exchange('https://shop.test/a', 999.6),
      exchange('https://cdn.test/x.png', 1_040),
      { ...exchange('https://shop.test/never', 1_050), times: null },
    ],
    'https://shop.test',
  );
  expect(pages.map(({ path, requests }) => [path, requests.map(({ name }) => name)])).toEqual([
    ['/a', ['/a', 'cdn.test/x.png']],
    ['/b', ['/b']],
  ]);
  expect(pages[0]?.requests[1]).toMatchObject({ startUs: 40_000, waitUs: 2_000, bytes: 10 });
  expect(pages[0]?.requests[0]).toMatchObject({ startUs: 0 });
});

test('what is too much to draw is counted', () => {
  const many = Array.from({ length: mostRequests + 3 }, (_, at) =>
    exchange('https://shop.test/x', 1_000 + at),
  );
  const [page] = pagesOf([vitals(1_000, '/')], many, 'https://shop.test');
  expect(page).toMatchObject({ more: 3 });
  expect(page?.requests).toHaveLength(mostRequests);
});

test('pictures are with their page, those that look alike once, and no more than there is room for', () => {
  const frame = (atMs: number, picture: string) => ({ atMs, picture });
  const moving = Array.from({ length: 40 }, (_, at) =>
    frame(2_000 + at, `AAA${String.fromCharCode(65 + at)}`),
  );
  const [first, second] = filmOf(
    [vitals(1_000, '/a'), vitals(2_000, '/b')],
    [frame(1_100, 'AAAA'), frame(1_120, 'AAAA'), frame(1_200, 'BBBB'), ...moving],
  );
  expect(first).toEqual({
    path: '/a',
    frames: [
      { atUs: 100_000, picture: 'AAAA' },
      { atUs: 200_000, picture: 'BBBB' },
    ],
  });
  expect(second?.frames).toHaveLength(mostFrames);
  expect(second?.frames.at(0)?.atUs).toBe(0);
  expect(second?.frames.at(-1)?.atUs).toBe(39_000);
});

test('the page that stands until the first paint is none of its pictures', () => {
  const [page] = filmOf(
    [{ ...vitals(1_000, '/'), fcpMs: 120 }],
    [
      { atMs: 1_004, picture: 'AAAA' },
      { atMs: 1_116, picture: 'BBBB' },
      { atMs: 1_300, picture: 'CCCC' },
    ],
  );
  expect(page?.frames.map(({ picture }) => picture)).toEqual(['BBBB', 'CCCC']);
});

test('pictures end where those of a side would fill a result', () => {
  const pages = [0, 1, 2, 3, 4, 5].map((page) => vitals(1_000 * page, `/${page}`));
  const large = Array.from({ length: 24 }, (_, at) => ({
    atMs: 250 * at,
    picture: `${'A'.repeat(20_000)}${at}`,
  }));
  const film = filmOf(pages, large);
  expect(film.map(({ frames }) => frames.length)).toEqual([4, 4, 1, 0, 0, 0]);
  const bytes = film.flatMap(({ frames }) => frames.map(({ picture }) => (3 * picture.length) / 4));
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(mostFilmBytes);
});
