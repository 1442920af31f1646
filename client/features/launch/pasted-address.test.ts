/** Protects the one field of the launch page: whatever is pasted lands in the fields that it belongs to. */
import { describe, expect, test } from 'vitest';
import { emptyForm } from './form-shape.ts';
import { holdsAddress, printAddress, splitAddress } from './pasted-address.ts';

const split = (text: string) => splitAddress(text, emptyForm);
const [http, https] = ['http://127.0.0.1:8080', 'https://127.0.0.1:8443'];

describe('what is pasted', () => {
  test.each([
    ['127.0.0.1:8080', { http, https: '', path: '/' }],
    ['8080', { http, https: '', path: '/' }],
    [':8443', { http: '', https, path: '/' }],
    ['http://127.0.0.1:8080/page.html?a=1', { http, https: '', path: '/page.html?a=1' }],
    [`${http}\n${https}/shop`, { http, https, path: '/shop' }],
    [`<${https}>, ${http}`, { http, https, path: '/' }],
    ['localhost:8443/a', { http: '', https: 'https://localhost:8443', path: '/a' }],
    [`${http} /a /b`, { http, https: '', path: '/a /b' }],
    [`http://127.0.0.1:8080 http://127.0.0.1:9090`, { http, https: 'http://127.0.0.1:9090', path: '/' }],
    ['', { http: '', https: '', path: '/' }],
  ])('%j', (text, expected) => {
    expect(split(text)).toMatchObject(expected);
  });

  test('as a path alone keeps the addresses', () => {
    expect(splitAddress('/shop', { ...emptyForm, http })).toEqual({ path: '/shop' });
  });

  test('that is no address goes where its mistake is said', () => {
    expect(split('ftp://host/x')).toMatchObject({ http: 'ftp://host/x', https: '' });
    expect(split('http://me:secret@host')).toMatchObject({ http: 'http://me:secret@host' });
  });
});

test('what the form holds is printed so that it splits into the same', () => {
  for (const text of ['127.0.0.1:8080/page.html', `${http} ${https} /a /b`, https]) {
    const form = { ...emptyForm, ...split(text) };
    expect(holdsAddress(text, form)).toBe(true);
    expect(split(printAddress(form))).toEqual(split(text));
  }
  expect(holdsAddress('127.0.0.1:9090', { ...emptyForm, http })).toBe(false);
});
