/** Protects how a sweep over sizes spends its time: two thirds at load, rounds of five seconds, and the whole as before. */
import { expect, test } from 'vitest';
import { sizesRequestSchema } from '../../../../shared/kinds/sizes/sizes.ts';
import { burstMs, loneVisits, sizesS, turnsOfRound, visitMs, wantsTurn } from './plan-sizes.ts';

test('two thirds of a turn are at load', () => {
  const share = (3 * burstMs) / (3 * burstMs + loneVisits * visitMs);
  expect(share).toBeGreaterThan(0.6);
  expect(share).toBeLessThan(0.75);
});

test('the study’s 24 sizes take a minute and a half', () => {
  const s = sizesS(sizesRequestSchema.parse({ kind: 'sizes' }));
  expect(s).toBeGreaterThan(80);
  expect(s).toBeLessThan(100);
});

test('a round has at least one turn, and no more than its time allows', () => {
  expect(turnsOfRound(24)).toBe(2);
  expect(turnsOfRound(400)).toBe(1);
  expect(wantsTurn(0, 400, 60_000)).toBe(true);
  expect(wantsTurn(1, 24, 2300)).toBe(true);
  expect(wantsTurn(1, 24, 5100)).toBe(false);
  expect(wantsTurn(2, 24, 4600)).toBe(false);
});
