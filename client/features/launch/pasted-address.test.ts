/** Protects the one field of the launch page: any pasted text is understood, and fills the right fields of the form. */
import { describe, expect, test } from 'vitest';
import type { FoundListener, Lookup } from '../../../shared/target/preflight.ts';
import { emptyForm } from './form-shape.ts';
import {
  fillFrom,
  printAddress,
  readPasted,
  splitAddress,
  targetOfSite,
  withoutCredentials,
} from './pasted-address.ts';
import { askQuestion } from './question-form.tsx';

const split = (text: string) => splitAddress(text, emptyForm);
const [http, https] = ['http://127.0.0.1:8080', 'https://127.0.0.1:8443'];

describe('a pasted address fills the form', () => {
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
    ['127.0.0.1:8080/my page.html', { http, https: '', path: '/my%20page.html' }],
    ['[::1]:8080/a', { http: 'http://[::1]:8080', https: '', path: '/a' }],
    ['::1', { http: 'http://[::1]', https: '', path: '/' }],
    ['bücher.example', { http: 'http://xn--bcher-kva.example', https: '', path: '/' }],
    ['ftp://host/x', { http: 'ftp://host', https: '', path: '/x' }],
    ['', { http: '', https: '', path: '/' }],
  ])('%j', (text, expected) => {
    expect(split(text)).toMatchObject(expected);
  });

  test('and a path alone keeps its addresses', () => {
    expect(splitAddress('/shop', { ...emptyForm, http })).toEqual({ path: '/shop' });
  });

  test('which prints the same address again', () => {
    for (const text of ['127.0.0.1:8080/page.html', `${http} ${https} /a /b`, https]) {
      expect(split(printAddress({ ...emptyForm, ...split(text) }))).toEqual(split(text));
    }
  });
});

describe('pasted text is read', () => {
  const here = 'http://127.0.0.1:7413';
  const id = 'A'.repeat(22);
  test.each([
    ['  ', { kind: 'nothing' }],
    ['8080', { kind: 'addresses', addresses: ['127.0.0.1:8080'], path: '/' }],
    ['[::1]:8080', { kind: 'addresses', addresses: ['[::1]:8080'], path: '/' }],
    ['http://127.0.0.1:8080/a#b', { kind: 'addresses', addresses: [http], path: '/a' }],
    [`${http}/a ${https}/a`, { kind: 'addresses', addresses: [http, https], path: '/a' }],
    ["curl 'http://127.0.0.1:8080/' -H 'a: b'", { kind: 'scenario' }],
    ['{"log":{"entries":[]}}', { kind: 'scenario' }],
    [`${here}/scenarios/${id}`, { kind: 'link', to: `/?scenario=${id}` }],
    [`${here}/r/${id}?v=1`, { kind: 'link', to: `/?again=${id}` }],
    [`https://other.example/s/${id}`, { kind: 'wrong', sentence: /link of another dashboard/ }],
    ['https://other.example/s/shoes', { kind: 'addresses', path: '/s/shoes' }],
    [
      Array.from({ length: 10 }, (_, port) => `127.0.0.1:${8080 + port}`).join(' '),
      { kind: 'wrong', sentence: /10 addresses\. Paste one or two/ },
    ],
  ])('%j', (text, expected) => {
    const { sentence, ...rest } = expected as { sentence?: RegExp };
    const pasted = readPasted(text, here);
    expect(pasted).toMatchObject(rest);
    if (sentence !== undefined) expect(pasted).toMatchObject({ sentence: expect.stringMatching(sentence) });
  });

  test('in time, however long it is', () => {
    const fromMs = performance.now();
    for (const long of [
      `curl http://127.0.0.1:8080/ -d '${'x'.repeat(1_000_000)}'`,
      'a:'.repeat(500_000),
      '@'.repeat(1_000_000),
    ])
      readPasted(withoutCredentials(long), here);
    expect(performance.now() - fromMs).toBeLessThan(2_000);
  });
});

test.each([
  ['http://me:secret@127.0.0.1:8080/a', 'http://127.0.0.1:8080/a'],
  ['me:secret@127.0.0.1', '127.0.0.1'],
  ['me:se/cr:et@127.0.0.1', '127.0.0.1'],
  ['http://me:a@b@127.0.0.1', 'http://127.0.0.1'],
  ['http://me@host https://you:secret@host', 'http://host https://host'],
  ['127.0.0.1:8080/a@b', '127.0.0.1:8080/a@b'],
  ['http://host:8080/x:y@z', 'http://host:8080/x:y@z'],
  ['http://host/~me@home', 'http://host/~me@home'],
])('the password in %s is not shown', (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown);
});

describe('the answer of a lookup', () => {
  const fingerprint = `${'AB:'.repeat(31)}AB`;
  const plain: FoundListener = {
    ...{ scheme: 'http', origin: http, server: 'nginx', program: 'nginx', processes: 2 },
    ...{ status: 200, bodyBytes: 3, tls: null },
  };
  const secure = (trusted: 'authority' | 'here' | 'asks', origin = https): FoundListener => ({
    ...{ ...plain, scheme: 'https', origin },
    tls: { protocol: 'TLSv1.3', certificate: { fingerprint, selfSigned: true, problem: 'No.', trusted } },
  });
  const lookup = (change: Partial<Lookup>): Lookup => ({
    ...{ found: [], same: null, missing: null, others: [], twin: null, servers: [] },
    ...change,
  });

  test('fills both sides, and trusts a certificate of this machine', () => {
    expect(fillFrom(lookup({ found: [plain, secure('here')], same: true }), emptyForm)).toEqual({
      change: { targetKind: 'origins', http, https, trust: fingerprint },
      lacks: null,
    });
    for (const trusted of ['authority', 'asks'] as const)
      expect(fillFrom(lookup({ found: [plain, secure(trusted)] }), emptyForm).change.trust).toBe('');
  });

  test('says which side is missing', () => {
    const missing = { scheme: 'https' as const, ports: [8080] };
    expect(fillFrom(lookup({ found: [plain], missing }), emptyForm).lacks).toMatch(/^The HTTPS address/);
    const two = [plain, { ...plain, origin: 'http://127.0.0.1:8081' }];
    expect(fillFrom(lookup({ found: two }), emptyForm).lacks).toMatch(/^Both addresses speak HTTP\./);
  });

  test('fills the second address if both sides speak the same protocol', () => {
    const form = { ...emptyForm, targetKind: 'origins' as const };
    const asked = { ...form, ...askQuestion(form, 'server') };
    const other = 'https://127.0.0.1:9443';
    const { change, lacks } = fillFrom(
      lookup({ found: [secure('authority'), secure('here', other)], same: true }),
      asked,
    );
    expect(change).toMatchObject({
      ...{ https, trust: '' },
      ...{ 'sides.comparison.target.origin': other, 'sides.comparison.target.trust': fingerprint },
    });
    expect(lacks).toBeNull();
    expect(fillFrom(lookup({ found: [plain] }), asked).lacks).toMatch(/HTTPS address is missing/);
  });
});

const site = 'http://127.0.0.1:8080';

test('the form gets the origin of the recording, and nothing of another target', () => {
  const form = { ...emptyForm, http: 'http://127.0.0.1:9000', ca: 'a certificate', pid: '12' };
  expect({ ...form, ...targetOfSite(site, form) }).toMatchObject({
    ...{ targetKind: 'origins', http: site, https: '', ca: '', pid: '' },
  });
  expect(targetOfSite('https://shop.example', emptyForm)).toMatchObject({
    ...{ targetKind: 'origins', http: '', https: 'https://shop.example' },
  });
});

test('fields that were filled in for that origin stay', () => {
  const form = { ...emptyForm, targetKind: 'origins', http: site, https: 'https://127.0.0.1:9443' } as const;
  expect(targetOfSite(site, form)).toEqual({});
});

test('a recording of the storefront is measured there, and a scenario without a site at the target of the form', () => {
  const form = { ...emptyForm, targetKind: 'origins', http: site } as const;
  expect(targetOfSite('storefront', form)).toEqual({ targetKind: 'storefront' });
  expect(targetOfSite(null, form)).toEqual({});
});
