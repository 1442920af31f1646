/** Protects addresses of curl commands: their path and query letter by letter, but for the dots that curl resolves. */
import { expect, test } from 'vitest';
import { readAddress } from './curl-requests.ts';

const plain = { pathAsIs: false, globOff: false, query: null };

test.each([
  ['s', plain, { origin: 'http://s', host: 's', path: '/', user: null }],
  ['https://s:8443?a', plain, { origin: 'https://s:8443', host: 's:8443', path: '/?a' }],
  ["http://s/a'b|c?d={e}#f", { ...plain, globOff: true }, { path: "/a'b|c?d={e}" }],
  ['http://s/\\{a,b\\}\\[1\\]\\c', plain, { path: '/{a,b}[1]\\c' }],
  ['http://[::1]:80/', plain, { origin: 'http://[::1]', host: '[::1]:80' }],
  ['http://a:p%40w@s/', plain, { user: 'a:p@w', host: 's' }],
  ['http://s/a/../b/./c/..', plain, { path: '/b/' }],
  ['http://s/../../a', plain, { path: '/a' }],
  ['http://s/a/../b', { ...plain, pathAsIs: true }, { path: '/a/../b' }],
  ['http://s/', { ...plain, query: 'a=1' }, { path: '/?a=1' }],
  ['http://s/?', { ...plain, query: 'a=1' }, { path: '/?a=1' }],
  ['http://s/?b', { ...plain, query: 'a=1' }, { path: '/?b&a=1' }],
])('%s', (address, added, expected) => {
  expect(readAddress(address, added)).toMatchObject(expected);
});

test.each([
  ['http://', 'has no host'],
  ['http://s/{a,b}', 'has brackets'],
  ['http://s/[1-3]', 'has brackets'],
  ['http://s/{}', 'has brackets'],
  ['http://s/a]', 'has brackets'],
  ['http://a@b@s/', 'has more than one @'],
  ['http://s:port/', 'has a host or port that cannot be read'],
  ['http://s\\x/', 'has a host or port that cannot be read'],
  ['http://%ff:a@s/', 'has a name or password that cannot be decoded'],
])('%s is refused', (address, reason) => {
  expect(() => readAddress(address, plain)).toThrow(`The address ${reason}`);
});
