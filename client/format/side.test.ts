import { expect, test } from 'vitest';
import { sidesOf } from './side.ts';

test('HTTP is blue, solid and round; HTTPS is vermillion, dashed and a diamond', () => {
  const { http, https } = sidesOf(['http', 'https']);
  expect(http).toMatchObject({ label: 'HTTP', color: '#0072B2', dashed: false, marker: 'circle' });
  expect(https).toMatchObject({ label: 'HTTPS', color: '#D55E00', dashed: true, marker: 'diamond' });
});

test('a transport keeps its looks when the sides are swapped', () => {
  expect(sidesOf(['https', 'http']).http).toMatchObject({ label: 'HTTPS', color: '#D55E00', dashed: true });
});

test('a listener and its twin can be told apart, and neither looks like the other transport', () => {
  const { http, https } = sidesOf(['http', 'http']);
  expect([http.label, https.label]).toEqual(['HTTP A', 'HTTP B']);
  expect(https.color).not.toBe(http.color);
  expect(https.color).not.toBe('#D55E00');
});
