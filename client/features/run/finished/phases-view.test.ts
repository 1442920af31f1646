/** Protects the bars of the phases: what they are made of, and which sentence stands over them. */
import { expect, test } from 'vitest';
import type { Percentiles } from '../../../../shared/kinds/comparison/slot.ts';
import { phasesInWords, phasesView, rarePhases } from './phases-view.ts';

const took = (p50: number, count = 100): Percentiles => {
  return { count, p50, p90: p50 * 2, p99: p50 * 3, max: p50 * 4 };
};
const kept = { connectUs: null, tlsUs: null, ttfbUs: took(300), downloadUs: took(20) };
const opened = { ...kept, connectUs: took(50), tlsUs: took(900) };
const labels = { baseline: 'HTTP', comparison: 'HTTPS' };
const step = (name: string, us: number) => {
  const side = { ...kept, ttfbUs: took(us), latencyUs: took(us + 20) };
  return { name, baseline: side, comparison: side };
};

test('a bar has the median of each phase, and nothing where it did not happen', () => {
  const view = phasesView({
    phases: { baseline: kept, comparison: opened },
    steps: [{ ...step('Home', 300), comparison: null }],
  });
  expect(view?.bars).toEqual([
    { name: 'Transaction', us: { baseline: [0, 0, 300, 20], comparison: [50, 900, 300, 20] } },
    { name: 'Home', us: { baseline: [0, 0, 300, 20], comparison: null } },
  ]);
});

test('a phase that few transactions have is not drawn as if all had it', () => {
  const rare = { ...opened, connectUs: took(50, 4), tlsUs: took(900, 4) };
  const phases = { baseline: kept, comparison: rare };
  expect(phasesView({ phases, steps: [] })?.bars[0]?.us.comparison).toEqual([0, 0, 300, 20]);
  expect(rarePhases({ phases })).toMatch(/^At most 4 %/);
  expect(rarePhases({ phases: { baseline: kept, comparison: opened } })).toBeNull();
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
  const wordsOf = (comparison: typeof opened | typeof kept) => {
    const view = phasesView({ phases: { baseline: kept, comparison }, steps: [] });
    return view === null ? '' : phasesInWords(view, labels);
  };
  expect(wordsOf(opened)).toBe(
    'The longest part of a transaction, and where the sides differ most, is the TLS handshake: none with HTTP, 900 µs with HTTPS',
  );
  expect(wordsOf({ ...opened, tlsUs: took(200), ttfbUs: took(330) })).toBe(
    'The longest part of a transaction is waiting for the first byte: 300 µs with HTTP, 330 µs with HTTPS. The sides differ most in the TLS handshake: none with HTTP, 200 µs with HTTPS',
  );
});

test('without any phase there is nothing to draw', () => {
  expect(phasesView({ phases: null, steps: [] })).toBeNull();
});
