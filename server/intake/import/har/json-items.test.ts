/** Protects reading a large JSON piece by piece: the same items as JSON.parse, and a problem with its place. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonError, openJsonItems } from './json-items.ts';

function itemsOf(text: string, path = ['log', 'entries'], chunk = 7): unknown[] {
  const items: unknown[] = [];
  const reader = openJsonItems(path, (item) => items.push(item));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunk) reader.write(bytes.subarray(at, at + chunk));
  reader.end();
  return items;
}

test('The items of a document are those that JSON.parse finds, however it is cut into chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 50 }), (entries, chunk) => {
      const text = JSON.stringify({ log: { version: '1.2', pages: [[1]], entries }, after: [entries] });
      expect(itemsOf(text, ['log', 'entries'], chunk)).toEqual(JSON.parse(text).log.entries);
    }),
  );
});

test('Arrays of the same name in other places are not meant', () => {
  expect(itemsOf('{"entries":[1],"log":{"x":{"entries":[2]},"entries":[3]}}')).toEqual([3]);
});

test('A __proto__ key changes no prototype', () => {
  const [item] = itemsOf('{"log":{"entries":[{"__proto__":{"evil":1},"a":{"__proto__":null}}]}}') as [object];
  expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
  expect(Object.getPrototypeOf((item as { a: object }).a)).toBe(Object.prototype);
});

test.each([
  ['{"log":{"entries":[{"a":1},{"b":', 'ends too early', 2],
  ['', 'ends too early', null],
  ['{"log":{"entries":[{"a" 1}]}}', 'is not JSON', 1],
  ['{"log":{"entries":[1,]}}', 'is not JSON', null],
  ['{"log":[}', 'is not JSON', null],
  ['{"log":1}{', 'is not JSON', null],
  ['<html>', 'is not JSON', null],
])('The problem with %s is said with its item', (text, message, item) => {
  const act = () => itemsOf(text);
  expect(act).toThrow(JsonError);
  expect(act).toThrow(message);
  try {
    act();
  } catch (error) {
    expect((error as JsonError).item).toBe(item);
  }
});

test('A million opening brackets end at the limit of the depth', () => {
  expect(() => itemsOf('['.repeat(1_000_000), ['log', 'entries'], 65_536)).toThrow('nested deeper than 100');
});

test('A mutated document gives items or a JsonError, never anything else', () => {
  const text = JSON.stringify({ log: { entries: [{ a: 'é', b: [1.5e3, null] }, { c: true }] } });
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.string({ maxLength: 3 }), fc.nat(3), (at, put, drop) => {
      try {
        itemsOf(text.slice(0, at) + put + text.slice(at + drop));
      } catch (error) {
        expect(error).toBeInstanceOf(JsonError);
      }
    }),
  );
});

test('Bytes that are no UTF-8 are said with their item', () => {
  const reader = openJsonItems(['log'], () => {});
  expect(() => reader.write(Buffer.from('{"log":["\xff\xff\xff\xffabcdef"]}', 'latin1'))).toThrow(
    'is not written in UTF-8',
  );
});
