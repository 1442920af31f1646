/** Protects the table of phases: those that happened, and word of connections that were never opened. */

import { expect, test } from 'vitest';
import type { Percentiles } from '../../../shared/kinds/comparison/slot.ts';
import { missingHandshakes, phasesInWords, phasesView, rarePhases, timeRows } from './steps-section.tsx';

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

/** Protects the bars of the phases: what they are made of, and which sentence stands over them. */

const viewTook = (p50: number, count = 100): Percentiles => {
  return { count, p50, p90: p50 * 2, p99: p50 * 3, max: p50 * 4 };
};
const viewKept = { connectUs: null, tlsUs: null, ttfbUs: viewTook(300), downloadUs: viewTook(20) };
const viewOpened = { ...viewKept, connectUs: viewTook(50), tlsUs: viewTook(900) };
const labels = { baseline: 'HTTP', comparison: 'HTTPS' };
const step = (name: string, us: number) => {
  const side = { ...viewKept, ttfbUs: viewTook(us), latencyUs: viewTook(us + 20) };
  return { name, baseline: side, comparison: side };
};

test('a bar has the median of each phase, and nothing where it did not happen', () => {
  const view = phasesView({
    phases: { baseline: viewKept, comparison: viewOpened },
    steps: [{ ...step('Home', 300), comparison: null }],
  });
  expect(view?.bars).toEqual([
    { name: 'Transaction', us: { baseline: [0, 0, 300, 20], comparison: [50, 900, 300, 20] } },
    { name: 'Home', us: { baseline: [0, 0, 300, 20], comparison: null } },
  ]);
});

test('a phase that few transactions have is not drawn as if all had it', () => {
  const rare = { ...viewOpened, connectUs: viewTook(50, 4), tlsUs: viewTook(900, 4) };
  const phases = { baseline: viewKept, comparison: rare };
  expect(phasesView({ phases, steps: [] })?.bars[0]?.us.comparison).toEqual([0, 0, 300, 20]);
  expect(rarePhases({ phases })).toMatch(/^At most 4 %/);
  expect(rarePhases({ phases: { baseline: viewKept, comparison: viewOpened } })).toBeNull();
});

test('of many steps the quickest are left out, and the order stays', () => {
  const steps = Array.from({ length: 14 }, (_, index) => step(`Step ${index}`, (index * 5) % 14));
  const names = phasesView({ phases: null, steps })?.bars.map(({ name }) => name) ?? [];
  expect(names).toHaveLength(12);
  expect(names).toEqual(names.toSorted((a, b) => Number(a.slice(5)) - Number(b.slice(5))));
  expect(names).not.toContain('Step 0');
  expect(names).not.toContain('Step 3');
});

test('the sentence names the longest part and where the sides differ most', () => {
  const wordsOf = (comparison: typeof viewOpened | typeof viewKept) => {
    const view = phasesView({ phases: { baseline: viewKept, comparison }, steps: [] });
    return view === null ? '' : phasesInWords(view, labels);
  };
  expect(wordsOf(viewOpened)).toBe(
    'The longest part of a transaction, and where the sides differ most, is the TLS handshake: none with HTTP, 900 µs with HTTPS',
  );
  expect(wordsOf({ ...viewOpened, tlsUs: viewTook(200), ttfbUs: viewTook(330) })).toBe(
    'The longest part of a transaction is waiting for the first byte: 300 µs with HTTP, 330 µs with HTTPS. The sides differ most in the TLS handshake: none with HTTP, 200 µs with HTTPS',
  );
});

test('without any phase there is nothing to draw', () => {
  expect(phasesView({ phases: null, steps: [] })).toBeNull();
});
