import { expect, test } from 'vitest';
import { describeProblem } from '../../shared/problem.ts';
import type { RunSummary } from '../../shared/run.ts';
import { describeRun } from './run-line.ts';

const now = Date.UTC(2026, 10, 21, 12, 0);
const run: RunSummary = {
  id: 'abcdefghijklmnopqrstuv',
  state: 'finished',
  createdAt: now - 5 * 60_000,
  endedAt: now,
  scenario: 'Search',
  target: 'storefront',
  preset: 'quick',
  transports: ['http', 'https'],
  verdict: { sentence: 'HTTPS costs more.', metric: 'cpu_per_transaction', outcome: 'overhead' },
  problem: null,
  queuePosition: null,
};

test('a finished run is called by its verdict', () => {
  expect(describeRun(run, now)).toMatchObject({
    href: '/r/abcdefghijklmnopqrstuv',
    title: 'HTTPS costs more.',
    detail: 'Search on storefront · HTTP and HTTPS · quick · 5 min ago',
    look: { word: 'Overhead' },
  });
});

test('a run that failed is called by its problem', () => {
  const problem = describeProblem('target_died', { detail: 'The https side closed.' });
  const line = describeRun({ ...run, state: 'failed', verdict: null, problem }, now);
  expect(line).toMatchObject({ title: problem.title, look: { word: 'Failed' } });
});

test('a waiting run says its place', () => {
  const line = describeRun({ ...run, state: 'queued', verdict: null, queuePosition: 2 }, now);
  expect(line.title).toBe('Waiting, number 2 in the queue');
});
