/** Protects what is said of the study of 1998 today: known losses are judged right, and only over its range of sizes. */
import { expect, test } from 'vitest';
import { webperfToday } from '../../../shared/studies/read-sizes.ts';
import { type SampleSizes, sampleSizes } from '../../testing/sample-sizes.ts';

const plain = { offsetUs: 90, usPerByte: 0.0035, recordUs: null };
/** The lines of a rate that falls by a share. */
const losing = (share: number): SampleSizes => ({
  plain,
  secure: { ...plain, usPerByte: plain.usPerByte / (1 - share) },
});
const claimsOf = (sample: SampleSizes) => webperfToday(sampleSizes(sample));
const verdictsOf = (sample: SampleSizes) => claimsOf(sample).map(({ word }) => word);

test('a rate that falls by a fifth is what the study found', () => {
  const [line, rate, large] = claimsOf({ ...losing(0.195), rounds: 60 });
  expect(line).toMatchObject({ said: 'Time is Offset + Size ÷ Rate', word: 'holds' });
  expect(rate).toMatchObject({
    said: 'Encryption costs 17 to 22 % of the transfer rate',
    word: 'holds',
    today: expect.stringMatching(/^Today: [\d.]+ % \([\d.]+ to [\d.]+ %\)\.$/),
  });
  expect(large?.said).toBe('A document of 100,000 bytes takes 20 to 28 % longer');
});

test.each([
  [0.5, 'no longer'],
  [0.02, 'no longer'],
] as const)('a rate that falls by %d is not', (share, word) => {
  expect(verdictsOf(losing(share)).slice(1, 3)).toEqual([word, word]);
});

test('steps at each record are no straight line, and its rate decides nothing', () => {
  const [line, rate] = claimsOf({ plain, secure: { offsetUs: 90, usPerByte: 0.0035, recordUs: 120 } });
  expect(line).toMatchObject({ word: 'no longer', today: expect.stringMatching(/^HTTPS: /) });
  expect(rate).toMatchObject({ word: 'not decided', today: expect.stringContaining('rejected') });
});

test('every suite is judged under its name', () => {
  const suites = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384'];
  const today = claimsOf({ request: { suites } }).map((claim) => claim.today);
  for (const suite of suites) expect(today.filter((each) => each.includes(suite)).length).toBeGreaterThan(1);
});

test.each([[[1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 90_000]], [[1000, 100_000]]])(
  'over %j nothing is said',
  (sizes) => {
    expect(claimsOf({ request: { sizes } })).toEqual([]);
  },
);

test('lines that may miss by noise alone decide nothing: one round of twelve was slow with one size', () => {
  const [line] = claimsOf({
    ...losing(0.195),
    change: ([first, ...rounds]) => [
      ...(first === undefined ? [] : [{ ...first, points: first.points.map(slow) }]),
      ...rounds,
    ],
  });
  expect(line).toMatchObject({ word: 'not decided', today: expect.stringContaining('misses 4,000 bytes') });
});

function slow<Point extends { size: number; medianUs: number }>(point: Point): Point {
  return point.size === 4000 ? { ...point, medianUs: 8 * point.medianUs } : point;
}
