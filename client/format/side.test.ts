/** Protects the looks of the sides: a transport keeps its color, line and mark wherever it stands. */
import { expect, test } from 'vitest';
import { sidesOfPair } from '../../shared/base/transport.ts';
import { sidesOf } from './side.ts';

test('HTTP is blue, solid and round; HTTPS is vermillion, dashed and a diamond', () => {
  const { baseline, comparison } = sidesOf(sidesOfPair(['http', 'https']));
  expect(baseline).toMatchObject({ label: 'HTTP', color: '#0072B2', dashed: false, marker: 'circle' });
  expect(comparison).toMatchObject({ label: 'HTTPS', color: '#D55E00', dashed: true, marker: 'diamond' });
});

test('a transport keeps its looks when the sides are swapped', () => {
  expect(sidesOf(sidesOfPair(['https', 'http'])).baseline).toMatchObject({
    label: 'HTTPS',
    color: '#D55E00',
    dashed: true,
  });
});

test('a listener and its twin can be told apart, and neither looks like the other transport', () => {
  const { baseline, comparison } = sidesOf(sidesOfPair(['http', 'http']));
  expect([baseline.label, comparison.label]).toEqual(['HTTP A', 'HTTP B']);
  expect(comparison.color).not.toBe(baseline.color);
  expect(comparison.color).not.toBe('#D55E00');
});

test('two sides that are encrypted differ in more than their color', () => {
  const { baseline, comparison } = sidesOf(sidesOfPair(['https', 'h2']));
  expect(baseline).toMatchObject({ color: '#D55E00', marker: 'circle', dashed: false });
  expect(comparison).toMatchObject({ color: '#8A63B5', marker: 'diamond', dashed: true });
});
