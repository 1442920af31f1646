/** Protects the figures of visits under way: what the browser does now, and medians of each side without the twin. */
import { expect, test } from 'vitest';
import type { VisitedEvent } from '../../../shared/kinds/visits/visits-progress.ts';
import { followVisits, medianOf, noVisits, visitsOf } from './visits-result-page.tsx';

const visited = (arm: VisitedEvent['arm'], loadUs: number, fcpUs: number | null = null): VisitedEvent => {
  const times = { ttfbUs: 1, fcpUs, lcpUs: null, loadUs };
  return { type: 'visited', arm, cold: times, warm: { ...times, loadUs: loadUs / 2 } };
};

test('medians are of the side alone, and a time that no visit has has none', () => {
  const live = [
    visited('baseline', 10),
    visited('twin', 900),
    visited('baseline', 30, 7),
    visited('comparison', 50),
    visited('baseline', 20),
    visited('comparison', 70),
  ].reduce(followVisits, noVisits);
  expect(medianOf(live, 'baseline', 'cold', 'loadUs')).toBe(20);
  expect(medianOf(live, 'comparison', 'cold', 'loadUs')).toBe(60);
  expect(medianOf(live, 'comparison', 'warm', 'loadUs')).toBe(30);
  expect(medianOf(live, 'baseline', 'cold', 'fcpUs')).toBe(7);
  expect(medianOf(live, 'comparison', 'cold', 'fcpUs')).toBeNull();
  expect(visitsOf(live, 'baseline')).toHaveLength(3);
});

test('what the browser does now replaces what it did before', () => {
  const visiting = (action: number) =>
    ({ type: 'visiting', arm: 'twin', pass: 'warm', action, actions: 5 }) as const;
  const live = [visiting(1), visited('baseline', 1), visiting(2)].reduce(followVisits, noVisits);
  expect(live.now).toEqual(visiting(2));
});
