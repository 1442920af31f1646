/** Protects the line of a measurement in lists: its verdict, its problem, or its place in the queue. */
import { expect, test } from 'vitest';
import { describeProblem } from '../../shared/base/problem.ts';
import { sidesOfPair } from '../../shared/base/transport.ts';
import type { MeasurementSummary } from '../../shared/measurement/measurement-summary.ts';
import { describeMeasurements } from './measurement-line.ts';
import { lookOfOutcome } from './outcome.ts';

const now = Date.UTC(2026, 10, 21, 12, 0);
const run: Extract<MeasurementSummary, { kind: 'comparison' }> = {
  kind: 'comparison',
  url: '/r/abcdefghijklmnopqrstuv',
  title: 'Search on storefront',
  generatedTitle: 'Search on storefront',
  tags: [],
  id: 'abcdefghijklmnopqrstuv',
  state: 'finished',
  createdAt: now - 5 * 60_000,
  endedAt: now,
  scenario: 'Search',
  target: 'storefront',
  length: 'first',
  sides: sidesOfPair(['http', 'https']),
  verdict: { sentence: 'HTTPS costs more.', metric: 'cpu_at_load', outcome: 'overhead' },
  problem: null,
  queuePosition: null,
};

const describe = (summary: MeasurementSummary) => describeMeasurements([summary], now)[0];

test('a finished run is called by its verdict', () => {
  expect(describe(run)).toMatchObject({
    href: '/r/abcdefghijklmnopqrstuv',
    title: 'HTTPS costs more.',
    detail: 'Search on storefront · HTTP and HTTPS · first answer · 5 min ago',
    look: { word: 'Overhead' },
  });
});

test('a run that pools earlier ones is called by what they found together', () => {
  const pooled = {
    sentence: 'HTTPS costs 43 % more (5 runs)',
    metric: 'cpu_at_load',
    outcome: 'no_overhead',
  } as const;
  expect(describe({ ...run, pooled })).toMatchObject({
    title: pooled.sentence,
    look: lookOfOutcome('no_overhead', 1, 'lower'),
  });
});

test('a run with TLS names what was negotiated', () => {
  expect(describe({ ...run, tls: 'TLS 1.2, AES-128-GCM' })?.detail).toBe(
    'Search on storefront · HTTP and HTTPS · TLS 1.2, AES-128-GCM · first answer · 5 min ago',
  );
});

test('one with a title of its own is called by that, and then by what was found', () => {
  expect(describe({ ...run, title: 'After the upgrade' })).toMatchObject({
    title: 'After the upgrade',
    detail: 'HTTPS costs more. · Search on storefront · HTTP and HTTPS · first answer · 5 min ago',
  });
});

test('a run that failed is called by its problem', () => {
  const problem = describeProblem('target_died', { detail: 'The https side closed.' });
  const line = describe({ ...run, state: 'failed', verdict: null, problem });
  expect(line).toMatchObject({ title: problem.title, look: { word: 'Failed' } });
});

test('a waiting run says its place', () => {
  const line = describe({ ...run, state: 'queued', verdict: null, queuePosition: 2 });
  expect(line?.title).toBe('Waiting, number 2 in the queue');
});

test('a measurement of the lab is called by what is measured', () => {
  const { id, createdAt } = run;
  const line = describe({
    ...{ id, createdAt, kind: 'handshakes', url: `/l/${id}`, tags: [] },
    ...{ title: 'Handshakes: today, 38 cells', generatedTitle: 'Handshakes: today, 38 cells' },
    ...{ state: 'queued', endedAt: null, problem: null, queuePosition: 2 },
  });
  expect(line).toMatchObject({
    href: '/l/abcdefghijklmnopqrstuv',
    title: 'Handshakes: today, 38 cells',
    detail: 'number 2 in the queue · 5 min ago',
    look: { word: 'Waiting' },
  });
});
