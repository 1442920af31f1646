/** Protects texts with variables: a value stays one value wherever it stands. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodingOfBody, inHeader, inPath, isHeaderValue } from './encodings.ts';
import { escapeTemplate, Template } from './template.ts';

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
