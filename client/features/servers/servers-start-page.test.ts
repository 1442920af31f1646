/** Protects the form of a sweep over servers: presets fill it and come out again, it counts what it would measure, and each mistake is shown at its field. */
import { expect, test } from 'vitest';
import type { OptionOf } from '../../../shared/base/option.ts';
import { levelTable } from '../../../shared/kinds/servers/options.ts';
import { expandPlan } from '../../../shared/kinds/servers/servers-cells.ts';
import { serversPresets } from '../../../shared/kinds/servers/servers-presets.ts';
import { serversRequestSchema } from '../../../shared/kinds/servers/servers-result.ts';
import { itemChoicesOf } from '../../format/option-field.ts';
import type { OptionForm } from '../../format/option-form.ts';
import { formOfPlan, parseServersForm } from './servers-start-page.tsx';

const cellsOf = (request: object | null) =>
  expandPlan(serversRequestSchema.parse(request).plan).map(({ id }) => id);

test.each(['servers', 'malmgren-2011'] as const)(
  'the preset %s comes out of the form as it went in',
  (name) => {
    const { request, messages, size } = parseServersForm(formOfPlan(serversPresets[name]));
    const asked = cellsOf({ kind: 'servers', plan: serversPresets[name] });
    expect(messages).toEqual({});
    expect(cellsOf(request).toSorted()).toEqual(asked.toSorted());
    expect(size?.cells).toBe(asked.length);
    // 1.65 s a visit, and the servers of 9 groups.
    expect(size?.seconds).toBeCloseTo(6 * (asked.length * 1.65 + 9 * 0.9), 6);
  },
);

const form = formOfPlan({ shape: 'grid', levels: { keepAlive: [true, false] } });
const filled = (change: OptionForm, ticked: Record<string, string[]> = {}) =>
  parseServersForm({
    ...form,
    ...change,
    ...Object.fromEntries(
      Object.entries(ticked).map(([factor, levels]) => [`plan.levels.${factor}`, levels]),
    ),
  });
const typed = (concurrency: string) => ({ 'plan.levels.concurrency': concurrency });

test('one factor at a time goes around the first level of each', () => {
  const { request, size } = filled(
    { 'plan.shape': 'each', ...typed('8, 64') },
    { cipher: ['any', 'AES-128-GCM'], server: ['apache'] },
  );
  expect(size?.cells).toBe(4);
  expect(cellsOf(request)).toEqual([
    'apache-tls13-any-p256-keepalive-c8-5496',
    'apache-tls13-aes128gcm-p256-keepalive-c8-5496',
    'apache-tls13-any-p256-full-c8-5496',
    'apache-tls13-any-p256-keepalive-c64-5496',
  ]);
});

test('every level has its checkbox, the usual one of a switch first', () => {
  const levelsOf = (factor: keyof typeof levelTable) =>
    itemChoicesOf(levelTable[factor] as OptionOf<'list'>).map(({ value, label }) => [value, label]);
  expect(levelsOf('keepAlive')).toEqual([
    ['on', 'kept open'],
    ['off', 'new for each request'],
  ]);
  expect(levelsOf('resumption').map(([value]) => value)).toEqual(['off', 'on']);
  expect(levelsOf('cipher').at(-1)).toEqual(['any', 'library’s choice']);
  expect(levelsOf('key')).toContainEqual(['RSA-1024', 'RSA-1024']);
});

test.each<[string, OptionForm]>([
  ['plan.levels.server', { 'plan.levels.server': [] }],
  ['plan.levels.cipher', { 'plan.levels.cipher': [] }],
  ['plan.levels.kTls', { 'plan.levels.kTls': [] }],
  ['plan.levels.concurrency', typed('')],
  ['plan.levels.concurrency', typed('1, 2001')],
  ['plan.levels.concurrency', typed('1, many')],
  ['plan.levels.concurrency', typed('8, 8')],
  ['plan.levels.document', { 'plan.levels.document': '1.5' }],
  ['plan.levels.document', { 'plan.levels.document': '10000001' }],
  ['rounds', { rounds: '2' }],
  ['rounds', { rounds: '' }],
])('a problem in %s is said there: %j', (field, change) => {
  const { request, messages } = filled(change);
  expect(request).toBeNull();
  expect(Object.keys(messages)).toEqual([field]);
});

test('a plan with too many cells is refused with their number', () => {
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1).join(' ');
  const { request, problem, size } = filled(
    { ...typed(numbers), 'plan.levels.document': numbers },
    { server: ['nginx', 'apache', 'lighttpd', 'haproxy', 'node'], key: ['P-256', 'RSA-2048'] },
  );
  expect([request, size]).toEqual([null, null]);
  expect(problem).toMatch(/^The plan has 8,000 combinations, more than 5,000/);
});
