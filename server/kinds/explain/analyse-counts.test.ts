/** Protects counts of instructions: the median part is what a request takes, and what no group knows belongs to its callers. */

import { expect, test } from 'vitest';
import { analyseCounts, countPhases, countTimes } from './analyse-counts.ts';

/** As Callgrind writes it: a function of nginx that calls one without a name, which calls memcpy, and one that sends. */
function textOf({ own = 100, copied = 0, encrypted = 0 }): string {
  const parts = [
    ...['# callgrind format', 'version: 1', 'cmd:  /usr/sbin/nginx -c nginx.conf', 'events: Ir'],
    ...[
      `summary: ${own + 20 + copied + encrypted}`,
      '',
      'ob=(1) /usr/sbin/nginx',
      'fn=(1) ngx_handle',
      `0 ${own}`,
    ],
    ...['cfn=(2) 0x5d', 'calls=1 0', `0 ${20 + copied}`],
    ...['cob=(3) /usr/lib/libcrypto.so.3', 'cfn=(4) EVP_EncryptUpdate', 'calls=1 0', `0 ${encrypted}`],
    ...['', 'fn=(2)', '0 20', 'cob=(2) /usr/lib/libc.so.6', 'cfn=(3) memcpy', 'calls=1 0', `0 ${copied}`],
    ...['', 'ob=(2)', 'fn=(3)', `0 ${copied}`, '', 'ob=(3)', 'fn=(4)', `0 ${encrypted}`, ''],
  ];
  return parts.join('\n');
}

/** Of ten requests: 1,200 and then 3,700 instructions, once with a second that begins. */
const counted = analyseCounts({
  ...{ valgrind: '3.19.0', requests: 10 },
  texts: {
    baseline: [
      { own: 1080, copied: 100 },
      { own: 1080, copied: 100 },
      { own: 1180, copied: 100 },
    ].map((part) => [textOf(part)]),
    comparison: [9180, 1180, 1180].map((own) => [textOf({ own, copied: 500, encrypted: 2000 })]),
  },
});

test('a request takes what the median part took, from the lowest part to the highest', () => {
  expect(counted.parts).toEqual({ baseline: [1200, 1200, 1300], comparison: [11_700, 3700, 3700] });
  expect(counted.perRequest).toEqual({
    baseline: { center: 120, lo: 120, hi: 130 },
    comparison: { center: 370, lo: 370, hi: 1170 },
  });
  expect(counted.delta.center).toBe(250);
});

test('groups add up to the median part, with what has no name where it was called from', () => {
  expect(counted.groups).toEqual([
    { group: 'encryption', baseline: 0, comparison: 200 },
    { group: 'copying', baseline: 10, comparison: 50 },
    { group: 'application', baseline: 110, comparison: 120 },
  ]);
});

test('functions are listed by how much they differ', () => {
  expect(counted.functions).toEqual([
    { name: 'EVP_EncryptUpdate', library: 'libcrypto.so.3', baseline: 0, comparison: 200 },
    { name: 'memcpy', library: 'libc.so.6', baseline: 10, comparison: 50 },
    { name: 'ngx_handle', library: 'nginx', baseline: 110, comparison: 120 },
  ]);
});

test('processes of a server are counted together', () => {
  const each = [textOf({ own: 80 }), textOf({ own: 180 })];
  const { perRequest } = analyseCounts({
    ...{ valgrind: '3.19.0', requests: 10 },
    texts: { baseline: [each], comparison: [each] },
  });
  expect(perRequest.baseline.center).toBe(30);
});

/** Protects plans of counts: a part that can be the median, of as many requests as OpenSSL takes to come back to where it was. */

test.each(['keep-alive', 'connection-per-request'] as const)('%s has an odd number of parts', (policy) => {
  const times = countTimes({ connectionPolicy: policy });
  expect(times.parts % 2).toBe(1);
  expect(countPhases(times).find(({ name }) => name === 'measuring')?.rounds).toBe(2 * times.parts);
});

test('parts of new connections have the numbers that blind RSA renewed as often as each other', () => {
  const { requests, warmUp } = countTimes({ connectionPolicy: 'connection-per-request' });
  // `BN_BLINDING_COUNTER` of OpenSSL.
  expect([requests % 32, warmUp % 32]).toEqual([0, 0]);
});
