/** Protects explanations: groups add up to the CPU that was counted, their differences to the difference, and the sentence to itself. */

import { expect, test } from 'vitest';
import type { SideName } from '../../../shared/base/transport.ts';
import {
  type ExplainLaunch,
  explainRequestSchema,
  samplesPerS,
} from '../../../shared/kinds/explain/explain.ts';
import { type CostGroup, costGroups } from '../../../shared/kinds/explain/options.ts';
import { explainHeadline, explainNotes, groupTitle } from '../../../shared/words/explain-sentence.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import { analyseCounts, analyseExplain, countPhases, countTimes } from './explain-analysis.ts';

/** A side whose requests cost `us` µs, with `counts` samples per group. */
function sideOf(us: number, counts: Partial<Record<CostGroup, number>>): ExplainLaunch['sides'][SideName] {
  const groups = Object.fromEntries(costGroups.map((group) => [group, counts[group] ?? 0]));
  const samples = sumOf(Object.values(groups));
  const cpuUs = (samples / samplesPerS) * 1e6;
  return {
    plain: { requests: 1000, cpuUs: 1000 * us * 0.9 },
    recorded: { requests: cpuUs / us, cpuUs },
    ...{ samples, groups: groups as Record<CostGroup, number>, stacks: [{ stack: 'main', samples }] },
  };
}

/** 25 µs, then 42 µs: 9 more are encryption, and 8 copying. A tenth of it is the recording. */
const launches = [0, 1, 2].map(
  (launch): ExplainLaunch => ({
    ...{ launch, strayed: 0 },
    sides: {
      baseline: sideOf(25 + launch, { network: 600, application: 400 }),
      comparison: sideOf(42 + launch, {
        network: 600 - launch,
        application: 400 + launch,
        encryption: 360,
        copying: 320,
      }),
    },
  }),
);

test('groups add up to the CPU without the recording, and differences to the difference', () => {
  const { groups, cpuUs, delta, sampledShare, recordingRatio, plainDelta } = analyseExplain(launches);
  for (const side of ['baseline', 'comparison'] as const) {
    expect(sumOf(groups.map((row) => row[side].center))).toBeCloseTo(cpuUs?.[side].center ?? 0, 9);
  }
  expect(delta?.center).toBeCloseTo(0.9 * 17, 9);
  expect(sumOf(groups.map((row) => row.delta.center))).toBeCloseTo(0.9 * 17, 9);
  expect(groups.find(({ group }) => group === 'encryption')?.delta.center).toBeCloseTo(
    (0.9 * 43 * 360) / 1680,
    9,
  );
  expect(plainDelta?.center).toBeCloseTo(0.9 * 17, 9);
  expect(sampledShare).toBeCloseTo(1, 9);
  expect(recordingRatio?.center).toBeCloseTo(1 / 0.9, 9);
});

test('the parts of the sentence add up to its whole, as they are printed', () => {
  const request = explainRequestSchema.parse({ kind: 'explain' });
  const { title = '', second = '' } =
    explainHeadline({
      ...{ ...analyseExplain(launches), request, load: null },
      ...{ launches, negotiated: null },
    }) ?? {};
  const [sides = '', list = ''] = second.split(': ');
  const numbersIn = (text: string) =>
    [...text.matchAll(/−?\d+\.\d/g)].map(([number]) => Number(number.replace('−', '-')));
  const [whole = Number.NaN] = numbersIn(title);
  const parts = numbersIn(list);
  const [from = 0, to = 0] = numbersIn(sides.slice(sides.indexOf('(')));
  expect(to - from).toBeCloseTo(whole, 9);
  expect(whole).toBe(15.3);
  expect(parts.length).toBeGreaterThan(2);
  expect(sumOf(parts)).toBeCloseTo(whole, 9);
  expect(title).toBe('HTTPS costs 15.3 µs more CPU per request');
  expect(list).toMatch(/^8\.3 TLS record encryption, 7\.4 copying,/);
});

test('a difference that may be none is not explained', () => {
  const request = explainRequestSchema.parse({ kind: 'explain' });
  const noisy = [0, 20, 40].map(
    (more, launch): ExplainLaunch => ({
      ...{ launch, strayed: 0 },
      sides: { baseline: sideOf(25, { network: 10 }), comparison: sideOf(20 + more, { network: 10 }) },
    }),
  );
  expect(
    explainHeadline({
      ...{ ...analyseExplain(noisy), request, load: null },
      ...{ launches: noisy, negotiated: null },
    })?.title,
  ).toMatch(/^Probably \+13\.5 µs \(.+\): between −31\.2 and \+58\.2 µs\. Not certain yet\.$/);
});

test('without names, what a program does itself is one group, and the suite and group are named', () => {
  const request = explainRequestSchema.parse({ kind: 'explain' });
  const unnamed = launches.map((launch) => ({ ...launch, unnamed: 'hitch' }));
  const negotiated = {
    protocol: 'TLSv1.3',
    cipher: 'TLS_AES_256_GCM_SHA384',
    group: 'ffdhe2048',
    key: null,
    alpn: null,
  };
  const found = { ...analyseExplain(launches), request, load: null, negotiated };
  expect(explainNotes({ ...found, launches: unnamed }).slice(0, 2)).toEqual([
    'Negotiated: TLS 1.3, TLS_AES_256_GCM_SHA384, ffdhe2048.',
    expect.stringMatching(/^The functions of hitch have no names\./),
  ]);
  expect(groupTitle('application', { launches: unnamed })).toBe('Application, without names');
  expect(groupTitle('application', { launches })).toBe('HTTP and application');
  expect(explainNotes({ ...found, launches }).join()).not.toContain('no names');
});

test('two launches say nothing', () => {
  const found = analyseExplain(launches.slice(0, 2));
  expect([found.cpuUs, found.delta, found.groups]).toEqual([null, null, []]);
});

/** Protects counts of instructions: the median part is what a request takes, and what no group knows belongs to its callers. */

/** Text in Callgrind's format: a function of nginx that calls one without a name, which calls memcpy, and one that sends. */
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

/** Counts of ten requests: 1,200 and then 3,700 instructions, once with a second that begins. */
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
