/** Protects multipart forms of curl commands: the fields of -F, and the body that they become. */
import { expect, test } from 'vitest';
import { readFormField, writeForm } from './curl-settings.ts';

test.each([
  ['a=b', 'b', null],
  ['a=', '', null],
  ['a=b=c', 'b=c', null],
  ['a= b ', 'b', null],
  ['a="b; c"', 'b; c', null],
  ['a="b \\"c\\" \\\\"', 'b "c" \\', null],
  ['a={};type=application/json', '{}', 'application/json'],
  ['a="b;c";type=text/plain', 'b;c', 'text/plain'],
])('-F %s', (text, value, type) => {
  expect(readFormField(text, false)).toEqual({ name: 'a', value, type });
});

test.each([
  ['a', 'has no name'],
  ['=b', 'has no name'],
  ['a=@b.png', 'uploads a file'],
  ['a=<b.txt', 'uploads a file'],
  ['a=(b', 'sends nested forms'],
  ['a=b;filename=c', 'has a ; or quotes in its text'],
  ['a="b"c', 'has a ; or quotes in its text'],
  ['a="b', 'has a ; or quotes in its text'],
])('-F %s is refused', (text, reason) => {
  expect(readFormField(text, false)).toContain(reason);
});

test('--form-string takes every character as it is', () => {
  const value = '@b;type=x/y "c" ';
  expect(readFormField(`a=${value}`, true)).toEqual({ name: 'a', value, type: null });
});

test('A form is written with its types and escaped names', () => {
  const boundary = `${'-'.repeat(24)}${'0'.repeat(16)}`;
  const fields = [
    { name: 'a"\n', value: 'b', type: null },
    { name: 'c', value: '{}', type: 'application/json' },
  ];
  expect(writeForm(fields)).toEqual({
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: [
      `--${boundary}`,
      'Content-Disposition: form-data; name="a%22%0A"',
      '',
      'b',
      `--${boundary}`,
      'Content-Disposition: form-data; name="c"',
      'Content-Type: application/json',
      '',
      '{}',
      `--${boundary}--`,
      '',
    ].join('\r\n'),
  });
});

test('A boundary never stands in a field', () => {
  const [, first = ''] = writeForm([]).contentType.split('boundary=');
  const { contentType } = writeForm([{ name: 'a', value: `--${first}x`, type: null }]);
  expect(contentType).toBe(`multipart/form-data; boundary=${first.replace(/0$/, '1')}`);
});
