/** Protects arms as a list that a plan declares: their orders, transports and contrasts come from it. */
import { expect, test } from 'vitest';
import { planSchema } from '../kinds/comparison/load-profile.ts';
import {
  type Arms,
  byArm,
  contrastOf,
  fromSides,
  namesOf,
  plainOf,
  readOrder,
  sidesOfArms,
  writeOrder,
} from './arms.ts';
import { type Transport, twoSidesAndTwin } from './transport.ts';

type Mesh = 'direct' | 'proxied' | 'secured' | 'again';
const sides: Arms<Mesh> = [
  { name: 'direct', letter: 'D' },
  { name: 'proxied', letter: 'P' },
  { name: 'secured', letter: 'S' },
];
const twinOf = (name: Mesh): Arms<Mesh>[number] => ({ name: 'again', letter: 'Z', twinOf: name });

test('two sides and a twin are A, B and N, and the twin speaks what the baseline does', () => {
  expect(writeOrder(twoSidesAndTwin, ['twin', 'baseline', 'comparison'])).toBe('NAB');
  expect(readOrder(twoSidesAndTwin, 'BNAN')).toEqual(['comparison', 'twin', 'baseline', 'twin']);
  expect(fromSides(twoSidesAndTwin, ['h2c', 'h2'])).toEqual({
    ...{ baseline: 'h2c', comparison: 'h2', twin: 'h2c' },
  });
  expect(contrastOf(twoSidesAndTwin)).toEqual({ of: 'comparison', to: 'baseline', twin: 'twin' });
});

test.each([
  ['last, of the first side', [...sides, twinOf('direct')], 'http'],
  ['first, of the first side', [twinOf('direct'), ...sides], 'http'],
  ['last, of the third side', [...sides, twinOf('secured')], 'h2'],
] as const)('the twin of four arms is whichever is declared: %s', (_where, arms, spoken) => {
  expect(sidesOfArms<Mesh>(arms)).toEqual(['direct', 'proxied', 'secured']);
  expect(fromSides<Mesh, Transport>(arms, ['http', 'https', 'h2'])).toEqual({
    ...{ direct: 'http', proxied: 'https', secured: 'h2', again: spoken },
  });
  const contrast = contrastOf<Mesh>(arms);
  const isOfFirst = spoken === 'http';
  expect(contrast).toEqual({ of: 'proxied', to: 'direct', twin: isOfFirst ? 'again' : null });
  expect(plainOf(contrast)).toEqual(isOfFirst ? ['direct', 'again'] : ['direct']);
  expect(Object.keys(byArm(namesOf<Mesh>(arms), () => 0))).toEqual(arms.map(({ name }) => name));
  expect(readOrder<Mesh>(arms, 'SZPD')).toEqual(['secured', 'again', 'proxied', 'direct']);
});

test('a side without a transport, and a comparison of one side, are mistakes of the plan', () => {
  expect(() => fromSides(sides, ['http', 'https'])).toThrow('secured');
  expect(() => contrastOf(sides.slice(0, 1))).toThrow('two sides');
});

test('a run that was kept without its arms had two sides and a twin', () => {
  expect(planSchema.shape.arms.parse(undefined)).toEqual(twoSidesAndTwin);
});
