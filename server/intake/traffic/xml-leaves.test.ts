/** Protects replacing values in JSON bodies: each is found where it stands, and everything else stays as it is written. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exchangeInTest } from '../../testing/exchange-in-test.ts';
import { redactExchanges } from '../../testing/redact-exchanges.ts';
import { jsonLeaves } from './xml-leaves.ts';

test('The leaves of a text are those of its tree, in their order and with their places', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const leaves = jsonLeaves(text) ?? [];
      expect(leaves.map(({ from, to }) => JSON.parse(text.slice(from, to)))).toEqual(
        leavesOf(JSON.parse(text)),
      );
      for (const { value: found, isText, from, to } of leaves) {
        expect(isText ? JSON.stringify(found) : found).toBe(
          isText ? JSON.stringify(JSON.parse(text.slice(from, to))) : text.slice(from, to),
        );
      }
    }),
  );
});

test('Each leaf has its path', () => {
  const leaves = jsonLeaves('{"a": [1, {"b c": "x"}], "d": {"e": -2.50e3}, "f": null}') ?? [];
  expect(leaves.map(({ path, value }) => [path, value])).toEqual([
    ['$.a[0]', '1'],
    ["$.a[1]['b c']", 'x'],
    ['$.d.e', '-2.50e3'],
  ]);
});

test('What is not JSON has none', () => {
  expect(['', '{', '{a:1}', 'x'].map(jsonLeaves)).toEqual([null, null, null, null]);
});

test('A body keeps its spaces, its numbers and its escapes when a secret in it is replaced', () => {
  const written = (password: string) =>
    `{ "password" : ${password},\n\t"n": 1.0, "u": "\\u00e4\\/", "twice": 1, "twice": 2 }`;
  const { exchanges } = redactExchanges([
    exchangeInTest({
      method: 'POST',
      requestHeaders: [['content-type', 'application/json']],
      requestBody: written('"hunter2hunter2"'),
    }),
  ]);
  expect(exchanges[0]?.requestBody).toBe(written('"${secret:password}"'));
});

function leavesOf(value: unknown): unknown[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}
