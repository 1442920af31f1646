/** Protects the line of a measurement in lists: its verdict, its problem, or its place in the queue. */
import { expect, test } from 'vitest';
import { describeProblem } from '../../shared/base/problem.ts';
import { sidesOfPair } from '../../shared/base/transport.ts';
import type { MeasurementSummary } from '../../shared/results/summary.ts';
import { describeMeasurements } from './lines.ts';
import { lookOfOutcome } from './looks.ts';

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
  headline: { title: 'HTTPS costs 18 µs more', second: '+75 % at full load' },
  verdict: { metric: 'cpu_at_load', outcome: 'overhead' },
  problem: null,
  queuePosition: null,
};

const { headline: _, ...others } = run;
const unfinished = { ...others, verdict: null };

const describe = (summary: MeasurementSummary) => describeMeasurements([summary], now)[0];

test('a finished run is called by its verdict', () => {
  expect(describe(run)).toMatchObject({
    href: '/r/abcdefghijklmnopqrstuv',
    title: 'HTTPS costs 18 µs more',
    detail: '+75 % at full load · Search on storefront · HTTP and HTTPS · first answer · 5 min ago',
    look: { word: 'Costs more' },
  });
});

test('a run that pools earlier ones has the pooled outcome', () => {
  const ratio = { center: 1.01, lo: 1, hi: 1.02 };
  const found = {
    ...({ metric: 'cpu_at_load', outcome: 'no_overhead', quality: 'clean' } as const),
    ...{ ratio, amount: '+0.2 µs' },
  } as const;
  expect(describe({ ...run, found })).toMatchObject({ look: lookOfOutcome('no_overhead', 1, 'lower') });
});

test('a run with TLS names what was negotiated', () => {
  expect(describe({ ...run, tls: 'TLS 1.2, AES-128-GCM' })?.detail).toBe(
    '+75 % at full load · Search on storefront · HTTP and HTTPS · TLS 1.2, AES-128-GCM · first answer · 5 min ago',
  );
});

test('one with a title of its own is called by that, and then by what was found', () => {
  expect(describe({ ...run, title: 'After the upgrade' })).toMatchObject({
    title: 'After the upgrade',
    detail:
      'HTTPS costs 18 µs more · +75 % at full load · Search on storefront · HTTP and HTTPS · first answer · 5 min ago',
  });
});

test('a run that failed is called by its problem', () => {
  const problem = describeProblem('target_died', { detail: 'The https side closed.' });
  const line = describe({ ...unfinished, state: 'failed', problem });
  expect(line).toMatchObject({ title: problem.title, look: { word: 'Failed' } });
});

test('a waiting run says its place', () => {
  const line = describe({ ...unfinished, state: 'queued', queuePosition: 2 });
  expect(line?.title).toBe('Waiting, number 2 in the queue');
});

test('a measurement of the lab is called by what is measured', () => {
  const { id, createdAt } = run;
  const line = describe({
    ...{ id, createdAt, kind: 'handshakes', url: `/l/${id}`, tags: [] },
    ...{ title: 'Handshakes: today, 38 combinations', generatedTitle: 'Handshakes: today, 38 combinations' },
    ...{ state: 'queued', endedAt: null, problem: null, queuePosition: 2 },
  });
  expect(line).toMatchObject({
    href: '/l/abcdefghijklmnopqrstuv',
    title: 'Handshakes: today, 38 combinations',
    detail: 'number 2 in the queue · 5 min ago',
    look: { word: 'Waiting' },
  });
});
