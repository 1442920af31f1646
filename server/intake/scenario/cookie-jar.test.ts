/** Protects a visitor’s cookies: which go to which request, and when they end. */
import { expect, test } from 'vitest';
import { CookieJar, droppedCookie } from './cookie-jar.ts';

const nowMs = Date.UTC(2026, 0, 1);

function jarWith(cookies: string[], { secure = true, hostname = 'www.shop.test', path = '/' } = {}) {
  const clock = { nowMs };
  const jar = new CookieJar({ hostname, secure, now: () => clock.nowMs });
  for (const cookie of cookies) jar.store(cookie, path);
  return { jar, clock };
}
const sent = (cookies: string[], path = '/', options = {}) => jarWith(cookies, options).jar.headerFor(path);

test('name and value go back, attributes do not', () => {
  expect(sent(['sid=a=b; HttpOnly; SameSite=Lax', ' theme = dark '])).toBe('sid=a=b; theme=dark');
  expect(sent(['quoted="x y"'])).toBe('quoted="x y"');
});

test('a later cookie of the same name and path replaces the earlier one', () => {
  expect(sent(['a=1', 'b=2', 'a=3'])).toBe('a=3; b=2');
});

test('what is no cookie is passed over', () => {
  expect(sent(['no pair', '=empty', 'a=x\ry'])).toBeNull();
});

test.each([
  ['/account', '/account', true],
  ['/account', '/account/orders', true],
  ['/account', '/account?x=/', true],
  ['/account', '/accounts', false],
  ['/account/', '/account', false],
])('a cookie for %s and a request for %s: %s', (path, request, goes) => {
  expect(sent([`a=1; Path=${path}`], request)).toBe(goes ? 'a=1' : null);
});

test('without Path a cookie is for the folder of the page that set it', () => {
  const { jar } = jarWith(['a=1'], { path: '/shop/cart?x=/y' });
  expect([jar.headerFor('/shop/pay'), jar.headerFor('/'), jar.headerFor('/shop')]).toEqual([
    'a=1',
    null,
    'a=1',
  ]);
});

test('cookies of longer paths go first', () => {
  expect(sent(['a=1; Path=/', 'b=2; Path=/x'], '/x')).toBe('b=2; a=1');
});

test('a Secure cookie is not sent without TLS', () => {
  expect(sent(['a=1; Secure', 'b=2'], '/', { secure: false })).toBe('b=2');
  expect(sent(['a=1; secure'], '/', { secure: true })).toBe('a=1');
});

test('a Domain that the host is not in excludes it', () => {
  const domains = [
    'shop.test',
    '.shop.test',
    'www.shop.test',
    '',
    'other.test',
    'op.test',
    'a.www.shop.test',
  ];
  expect(domains.map((domain) => sent([`a=1; Domain=${domain}`]) !== null)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(sent(['a=1; Domain=0.0.1'], '/', { hostname: '127.0.0.1' })).toBeNull();
});

test('Max-Age and Expires end a cookie, and delete it when they are past', () => {
  const { jar, clock } = jarWith([
    'a=1; Max-Age=10',
    'b=2; Expires=Thu, 01 Jan 2026 00:00:20 GMT',
    'c=3; Expires=0',
  ]);
  expect(jar.headerFor('/')).toBe('a=1; b=2; c=3');
  clock.nowMs += 15_000;
  expect(jar.headerFor('/')).toBe('b=2; c=3');
  jar.store('c=; Expires=Wed, 09-Jun-2021 10:18:14 GMT', '/');
  jar.store('b=; Max-Age=0; Expires=Thu, 01 Jan 2099 00:00:00 GMT', '/');
  expect(jar.headerFor('/')).toBeNull();
});

test('a cleared jar is empty', () => {
  const { jar } = jarWith(['a=1']);
  jar.clear();
  expect(jar.headerFor('/')).toBeNull();
});

test.each([
  ['sid=1; Secure', 'it is Secure, and this side has no TLS', false],
  ['sid=1; Domain=other.test', 'its Domain is other.test, and the host of this side is www.shop.test', true],
  ['sid=1; Domain=api.www.shop.test', 'its Domain is api.www.shop.test', true],
  ['__Host-sid=1; Path=/', 'its name demands Secure', true],
  ['__Host-sid=1; Secure; Path=/; Domain=shop.test', 'its name demands Path=/ and no Domain', true],
  ['__Host-sid=1; Secure; Path=/account', 'its name demands Path=/ and no Domain', true],
  ['__Secure-sid=1', 'its name demands Secure', true],
  ['sid=1; Expires=Wed, 31 Dec 2025 23:59:59 GMT', 'it has expired by the clock of this machine', true],
  [`sid=${'x'.repeat(4096)}`, 'it is longer than 4,096 bytes', true],
])('%s is not kept, because %s', (cookie, reason, secure) => {
  const origin = { hostname: 'www.shop.test', secure, now: () => nowMs };
  expect(droppedCookie(cookie, '/', origin)?.reason).toContain(reason);
  expect(sent([cookie], '/', { secure })).toBeNull();
});

test.each([
  '__Host-sid=1; Secure; Path=/',
  'sid=1; Domain=.shop.test',
  'sid=; Max-Age=0',
  'sid=deleted; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
  'sid=1; Max-Age=0',
  'no pair',
])('%s is kept, deletes itself or is no cookie, so nothing is said of it', (cookie) => {
  expect(
    droppedCookie(cookie, '/', { hostname: 'www.shop.test', secure: true, now: () => nowMs }),
  ).toBeNull();
});
