/** Protects the form of a sweep over servers: presets fill it and come out again, it counts what it would measure, and each mistake is shown at its field. */
import { expect, test } from 'vitest';
import { expandPlan } from '../../../shared/kinds/servers/plan/expand-plan.ts';
import { type ServersRequestInput, serversRequestSchema } from '../../../shared/kinds/servers/servers.ts';
import { serversPresets } from '../../../shared/kinds/servers/servers-presets.ts';
import { formOf, levelsOfFactor, parseServersForm, type ServersForm } from './servers-form.ts';

const cellsOf = (request: ServersRequestInput | null) =>
  expandPlan(serversRequestSchema.parse(request).plan).map(({ id }) => id);

test.each(['servers', 'malmgren-2011'] as const)(
  'the preset %s comes out of the form as it went in',
  (name) => {
    const { request, messages, size } = parseServersForm(formOf(serversPresets[name]));
    const asked = cellsOf({ kind: 'servers', plan: serversPresets[name] });
    expect(messages).toEqual({});
    expect(cellsOf(request).toSorted()).toEqual(asked.toSorted());
    expect(size?.cells).toBe(asked.length);
    // 1.65 s a visit, and the servers of 9 groups.
    expect(size?.seconds).toBeCloseTo(6 * (asked.length * 1.65 + 9 * 0.9), 6);
  },
);

const form = formOf({ shape: 'grid', levels: { keepAlive: [true, false] } });
const filled = (change: Partial<ServersForm>, ticked: Partial<ServersForm['ticked']> = {}) =>
  parseServersForm({ ...form, ...change, ticked: { ...form.ticked, ...ticked } });

test('one factor at a time goes around the first level of each', () => {
  const { request, size } = filled(
    { shape: 'each', concurrency: '8, 64' },
    { cipher: ['null', 'AES-128-GCM'], server: ['apache'] },
  );
  expect(size?.cells).toBe(4);
  expect(cellsOf(request)).toEqual([
    'apache-tls13-any-p256-keepalive-c8-5496',
    'apache-tls13-aes128gcm-p256-keepalive-c8-5496',
    'apache-tls13-any-p256-full-c8-5496',
    'apache-tls13-any-p256-keepalive-c64-5496',
  ]);
});

test('every level has its checkbox', () => {
  expect(levelsOfFactor('keepAlive')).toEqual(['true', 'false']);
  expect(levelsOfFactor('resumption')).toEqual(['false', 'true']);
  expect(levelsOfFactor('cipher')).toEqual(['AES-128-GCM', 'AES-256-GCM', 'CHACHA20-POLY1305', 'null']);
  expect(levelsOfFactor('key')).toContain('RSA-1024');
});

test.each<[string, Partial<ServersForm>, Partial<ServersForm['ticked']>]>([
  ['server', {}, { server: [] }],
  ['cipher', {}, { cipher: [] }],
  ['kTls', {}, { kTls: [] }],
  ['concurrency', { concurrency: '' }, {}],
  ['concurrency', { concurrency: '1, 2001' }, {}],
  ['concurrency', { concurrency: '1, many' }, {}],
  ['concurrency', { concurrency: '8, 8' }, {}],
  ['document', { document: '1.5' }, {}],
  ['document', { document: '10000001' }, {}],
  ['rounds', { rounds: '2' }, {}],
  ['rounds', { rounds: '' }, {}],
])('a problem in %s is said there: %j %j', (field, change, ticked) => {
  const { request, messages } = filled(change, ticked);
  expect(request).toBeNull();
  expect(Object.keys(messages)).toEqual([field]);
});

test('a plan with too many cells is refused with their number', () => {
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1).join(' ');
  const { request, messages, size } = filled(
    { concurrency: numbers, document: numbers },
    { server: ['nginx', 'apache', 'lighttpd', 'haproxy', 'node'], key: ['P-256', 'RSA-2048'] },
  );
  expect([request, size]).toEqual([null, null]);
  expect(messages.plan).toMatch(/^The plan has 8,000 cells, more than 5,000/);
});
