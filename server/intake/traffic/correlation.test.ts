/** Protects correlation: which sent values are taken from an earlier response, and which are the user’s own. */
import { expect, test } from 'vitest';
import { exchangeInTest } from '../../testing/exchange-in-test.ts';
import { correlate } from './correlation.ts';

const json: [string, string][] = [['content-type', 'application/json']];

function bringing(value: unknown, path = '/') {
  return exchangeInTest({ path, responseHeaders: json, responseBody: JSON.stringify(value) });
}

test('A value is taken from its first appearance, and every use of it is named', () => {
  const { correlations } = correlate([
    bringing({ cart: { id: 'c-90311' } }),
    bringing({ again: 'c-90311' }),
    exchangeInTest({ path: '/cart/c-90311?from=c-90311' }),
    exchangeInTest({ method: 'POST', requestHeaders: json, requestBody: '{"ids":["c-90311"]}' }),
  ]);
  expect(correlations).toEqual([
    {
      extract: { from: 'json_path', variable: 'id', path: '$.cart.id' },
      step: 0,
      uses: [
        { step: 2, place: 'path', name: '2' },
        { step: 2, place: 'query', name: 'from' },
        { step: 3, place: 'json', name: '$.ids[0]' },
      ],
      accepted: true,
    },
  ]);
});

test('What the user sent before a response echoed it is the user’s own', () => {
  const steps = [
    bringing({ query: 'lamp-2000-x' }, '/search?q=lamp-2000-x'),
    exchangeInTest({ path: '/page/lamp-2000-x' }),
  ];
  expect(correlate(steps).correlations).toEqual([]);
});

test('A value that comes later than it is sent is not taken', () => {
  expect(correlate([exchangeInTest({ path: '/c-90311' }), bringing({ id: 'c-90311' })]).correlations).toEqual(
    [],
  );
});

test('A plain word is proposed and left to the user', () => {
  const steps = [bringing({ kind: 'lamps' }), exchangeInTest({ path: '/category/lamps' })];
  expect(correlate(steps).correlations[0]?.accepted).toBe(false);
  expect(correlate(steps, ['kind']).correlations[0]?.accepted).toBe(true);
});

test('A hidden field that is sent under its name is taken, however short', () => {
  const html = '<input value="3" type=\'hidden\' name=step>';
  const { correlations } = correlate([
    exchangeInTest({ responseBody: html }),
    exchangeInTest({
      method: 'POST',
      requestHeaders: [['content-type', 'application/x-www-form-urlencoded']],
      requestBody: 'step=3&other=3',
    }),
  ]);
  expect(correlations).toMatchObject([
    { extract: { from: 'hidden_input', name: 'step' }, uses: [{ name: 'step' }], accepted: true },
  ]);
});

test('The number in a redirect is taken from Location', () => {
  const { correlations, substitute } = correlate([
    exchangeInTest({
      method: 'POST',
      status: 302,
      responseHeaders: [['Location', 'https://shop.example/orders/7?ok=1']],
    }),
    exchangeInTest({ path: '/orders/7?ok=1' }),
  ]);
  expect(correlations.filter(({ accepted }) => accepted)).toMatchObject([
    { extract: { from: 'header', name: 'location', pattern: '\\/orders\\/([^/?#&]+)', variable: 'orders' } },
  ]);
  expect(substitute(1, { place: 'path', name: '2', value: '7' })).toBe(`\${${'orders'}}`);
  expect(substitute(1, { place: 'query', name: 'ok', value: '1' })).toBeNull();
});

test('Cookies are left to the jar', () => {
  const steps = [
    exchangeInTest({
      responseHeaders: [
        ['set-cookie', 'sid=abc12345678'],
        ['x-id', 'abc12345678'],
      ],
    }),
    exchangeInTest({ requestHeaders: [['cookie', 'sid=abc12345678']] }),
  ];
  expect(correlate(steps).correlations).toEqual([]);
});
