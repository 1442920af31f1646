/** Protects the form of a sweep over sizes: the request says what was typed, and each mistake is shown at its field. */
import { expect, test } from 'vitest';
import { emptySizesForm, parseSizesForm } from './sizes-form.ts';

test('an untouched form asks for the 24 sizes of the study on nginx', () => {
  const { request, messages } = parseSizesForm(emptySizesForm);
  expect(request).toMatchObject({
    kind: 'sizes',
    target: { server: 'nginx', key: 'P-256' },
    suites: [null],
    rounds: 12,
  });
  expect(request?.sizes).toHaveLength(24);
  expect(messages).toEqual({});
});

test('sizes and suites are separated by commas, semicolons, spaces or lines', () => {
  const { request } = parseSizesForm({
    ...emptySizesForm,
    sizes: '20000; 1000,\n5000',
    suites: 'TLS_AES_128_GCM_SHA256 TLS_AES_256_GCM_SHA384',
  });
  expect(request?.sizes).toEqual([1000, 5000, 20_000]);
  expect(request?.suites).toEqual(['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384']);
});

test.each([
  ['sizes', { sizes: '1000' }],
  ['sizes', { sizes: '1000, 1000' }],
  ['sizes', { sizes: '1000, many' }],
  ['sizes', { sizes: '1000, 10000001' }],
  ['suites', { suites: 'a, b, c, d, e' }],
  ['suites', { suites: 'x!' }],
  ['rounds', { rounds: '' }],
  ['rounds', { rounds: '4' }],
  ['rounds', { rounds: '5.5' }],
])('a problem in %s is said there: %o', (field, change) => {
  const { request, messages } = parseSizesForm({ ...emptySizesForm, ...change });
  expect(request).toBeNull();
  expect(Object.keys(messages)).toEqual([field]);
});
