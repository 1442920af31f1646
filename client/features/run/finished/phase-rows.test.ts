/** Protects the table of phases: those that happened, and word of connections that were never opened. */
import { expect, test } from 'vitest';
import type { Percentiles } from '../../../../shared/kinds/comparison/slot.ts';
import { missingHandshakes, timeRows } from './phase-rows.ts';

const took = (p50: number): Percentiles => ({ count: 10, p50, p90: p50 * 2, p99: p50 * 3, max: p50 * 4 });
const kept = { connectUs: null, tlsUs: null, ttfbUs: took(300), downloadUs: took(20) };
const opened = { ...kept, connectUs: took(50), tlsUs: took(900) };

test('a phase has a row when it happened on one side at least', () => {
  const rows = timeRows({
    phases: { baseline: { ...kept, connectUs: took(40) }, comparison: opened },
    steps: [{ name: 'Home', baseline: { ...kept, latencyUs: took(320) }, comparison: null }],
  });
  expect(rows.map(({ of, what }) => `${of}: ${what}`)).toEqual([
    'Transaction: Connecting, median',
    'Transaction: TLS handshake, median',
    'Transaction: Waiting for the first byte, median',
    'Transaction: Download, median',
    'Home: Waiting for the first byte, median',
    'Home: Download, median',
    'Home: Whole, median',
    'Home: Whole, 90th percentile',
  ]);
  expect(rows[1]).toMatchObject({ baseline: '–', comparison: '900 µs' });
});

test('it is said when no connection was opened, and only then', () => {
  expect(missingHandshakes({ phases: { baseline: kept, comparison: kept } })).toMatch(/kept alive/);
  expect(missingHandshakes({ phases: { baseline: kept, comparison: opened } })).toBeNull();
  expect(missingHandshakes({ phases: null })).toBeNull();
});
