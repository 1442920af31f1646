/** Protects the patterns of a scenario: their first match, and which are refused. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exchangeInTest } from '../../testing/exchange-in-test.ts';
import { mapSentValues } from '../traffic/sent-values.ts';
import { compileCheck, compileExtraction } from './compiled-script.ts';
import { ResponseView } from './cookie-jar.ts';
import {
  compilePattern,
  isLargeNumber,
  parseExactly,
  patternSize,
  TooMuchWork,
  textOfLeaf,
} from './pattern.ts';
import { encodingOfBody, escapeTemplate, inHeader, inPath, isHeaderValue, Template } from './template.ts';

test.each([
  ['id=(\\d+)', 'x id=12', '12'],
  ['\\d+', 'x id=12', '12'],
  ['\\/orders\\/([^/?#&]+)', 'http://h/orders/a-1?x', 'a-1'],
  ['name="csrf" value="([^"]+)', '<input name="csrf" value="t=">', 't='],
  ['\\[\\-\\.\\$\\{(.)', '[-.${x', 'x'],
  ['(?<token>[a-f]+)', 'xx-abc', 'abc'],
  ['(a)|b', 'b', null],
  ['nothing', 'x', null],
])('the first match of %s in %s is %s', (source, text, value) => {
  expect(compilePattern(source).firstIn(text)).toBe(value);
});

test.each(['a(', '(?=a)', '(a)\\1', '[z-a]'])('%s is refused', (source) => {
  expect(() => compilePattern(source)).toThrow(/^the pattern has a mistake near “\S+”\. It is read/);
});

test.each([
  ['\\p{L}{1000}'.repeat(40)],
  ['(?:(?:a{10}){10}){10}'.repeat(20)],
  ['[a-z]{600}[^\\]]{600}'],
  ['\\pL|'.repeat(120)],
])('%s is refused before it is compiled, with what to do', (source) => {
  expect(patternSize(source)).toBeGreaterThan(1000);
  expect(() => compilePattern(source)).toThrow(/^the pattern is too large: .* Use fewer or smaller repeats$/);
});

test.each([
  ['a{3}b', 4],
  ['(?:ab{2,5}){10,}', 90],
  ['[]{9}]{2}\\{7}', 5],
  ['\\Q{9}\\E', 7],
  ['x*y+z?', 3],
  ['\\p{Lu}{5}', 14],
])('%s is known to have %i parts', (source, parts) => {
  expect(patternSize(source)).toBe(parts);
});

const mebibyte = 2 ** 20;

test.each([
  ['(\\p{L}{100})\\d', 'a'],
  ['[a-c]*a[ab]{300}[cd]', 'ab'],
  ['(?:(?:a?){10}){9}[bd]', 'ac'],
])('%s is given up in a long text, by work and not by time', (source, text) => {
  const search = () => compilePattern(source).firstIn(text.repeat(mebibyte / text.length));
  expect(search).toThrow(TooMuchWork);
});

test('a pattern that begins with literal text is found at the end of a mebibyte', () => {
  const page = `${'<p class="x">nothing here</p>'.repeat(36_000)}<input name="csrf" value="t=">`;
  expect(compilePattern('name="csrf" value="([^"]+)').firstIn(page)).toBe('t=');
});

/** Protects large numbers in JSON: read, checked and sent again letter by letter. */

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

/** Protects texts with variables: a value stays one value wherever it stands. */

const slots = new Map([
  ['a', 0],
  ['b', 1],
]);
const render = (text: string, values: string[], encode = inHeader) =>
  new Template(text, slots, encode).render(values);

test('variables stand where they are named', () => {
  expect(render('x${a}y${b}${a}', ['1', '2'])).toBe('x1y21');
});

test('$${ stands for ${, and other dollars are text', () => {
  expect(render('$${a} $5 ${ ${a b} ${secret:key} ${a', ['1'])).toBe('${a} $5 ${ ${a b} ${secret:key} ${a');
});

test('an escaped text renders as it was written, whatever is in it', () => {
  const pieces = fc.constantFrom('$', '{', '}', 'a', '${a}', '${', '$${', '${secret:key}', ' ');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      expect(render(escapeTemplate(text), ['1', '2'])).toBe(text);
    }),
  );
});

test('text is constant when it is sent as it is written', () => {
  const isConstant = (text: string) => new Template(text, slots, inPath).isConstant;
  expect([isConstant('/plain?$x'), isConstant('/${a}'), isConstant('/$${a}')]).toEqual([true, false, false]);
});

test('a value stays one value in a path, a form, a JSON text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      const url = new URL(render('http://h/p/${a}?q=${a}&z=1', [value], inPath));
      expect(url.searchParams.get('q')).toBe(value);
      expect(url.searchParams.get('z')).toBe('1');
      const form = new URLSearchParams(
        render('q=${a}&z=1', [value], encodingOfBody('application/x-www-form-urlencoded')),
      );
      expect([form.get('q'), form.get('z')]).toEqual([value, '1']);
      const json = render('{"q":"${a}","z":1}', [value], encodingOfBody('application/vnd.api+json'));
      expect(JSON.parse(json)).toEqual({ q: value, z: 1 });
    }),
  );
});

test('JSON that says it is a form is JSON', () => {
  const type = 'application/x-www-form-urlencoded';
  const body = '{"q":"${a}"}';
  expect(render(body, ['a"b c'], encodingOfBody(type, body))).toBe('{"q":"a\\"b c"}');
});

test('half a surrogate pair does not throw', () => {
  expect(render('/${a}', ['\ud800'], inPath)).toBe('/%EF%BF%BD');
});

test('in other bodies a value is written as it is', () => {
  expect(render('${a}', ['<a b="c">'], encodingOfBody('text/xml'))).toBe('<a b="c">');
});

test('a header holds one line of Latin-1 text', () => {
  expect(['é ok\t', 'a\r\nb', 'a\u010ab', '\x7f'].map(isHeaderValue)).toEqual([true, false, false, false]);
});
