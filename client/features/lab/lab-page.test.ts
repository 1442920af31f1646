/** Protects the small pictures of the lab: two bars that are as long as the values in the headline. */
import { expect, test } from 'vitest';
import { valuesOf } from './lab-page.tsx';

test('both values of a headline are bars in its unit', () => {
  const title = 'A full handshake costs 119 µs more CPU than a resumed one';
  expect(valuesOf({ title, second: '+31 % (385 → 504 µs)' })).toEqual([
    { text: '385 µs', share: 385 / 504 },
    { text: '504 µs', share: 1 },
  ]);
  const [first] = valuesOf({ title, second: 'at full load (1,144 → 572 transactions/s)' });
  expect(first).toEqual({ text: '1,144 transactions/s', share: 1 });
});

test('a headline without two values has none', () => {
  expect(valuesOf({ title: 'TLS 1.3', second: '38 ms longer' })).toEqual([]);
});
