/** Protects large numbers in JSON: read, checked and sent again letter by letter. */
import { expect, test } from 'vitest';
import { exchangeInTest } from '../../testing/exchange-in-test.ts';
import { mapSentValues } from '../traffic/sent-values.ts';
import { compileCheck } from './check-response.ts';
import { isLargeNumber, parseExactly, textOfLeaf } from './exact-json.ts';
import { compileExtraction } from './extract-value.ts';
import { ResponseView } from './response-view.ts';

const text = '{"id":1234567890123456789,"price":1.5,"small":7,"key":"1234567890123456789"}';

test('a number that JavaScript cannot hold is read and written as it stands, any other as ever', () => {
  const read = parseExactly(text) as Record<string, unknown>;
  expect(JSON.stringify(read)).toBe(text);
  expect(Object.values(read).map(isLargeNumber)).toEqual([true, false, false, false]);
  expect(Object.values(read).map(textOfLeaf)).toEqual([
    '1234567890123456789',
    '1.5',
    '7',
    '1234567890123456789',
  ]);
});

test('a large id is taken from a response, checked and sent again letter by letter', () => {
  const response = new ResponseView({ header: () => undefined, setCookies: [], body: Buffer.from(text) });
  const rule = compileExtraction({ from: 'json_path', variable: 'id', path: '$.id' });
  expect(rule.take(response)).toBe('1234567890123456789');
  const check = compileCheck({ type: 'json_path', path: '$.id', equals: Number('1234567890123456789') });
  expect(check.holds(response)).toBe(true);
  const sent = exchangeInTest({
    requestHeaders: [['content-type', 'application/json']],
    requestBody: text,
  });
  const replaced = mapSentValues(sent, ({ name }) => (name === '$.key' ? '*' : null));
  expect(replaced.requestBody).toBe('{"id":1234567890123456789,"price":1.5,"small":7,"key":"*"}');
});

test('a body that is nested deeply is sent as it is, but for what is replaced', () => {
  const deep = `{"key":"abc","rest":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const sent = exchangeInTest({ requestHeaders: [['content-type', 'application/json']], requestBody: deep });
  expect(mapSentValues(sent, () => '*').requestBody).toBe(deep.replace('abc', '*'));
});
