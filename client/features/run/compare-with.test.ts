/** Protects the list of runs to compare with: only those with the same scenario, target and sides, older run first. */
import { expect, test } from 'vitest';
import { sidesOfPair } from '../../../shared/base/transport.ts';
import { runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import type { MeasurementSummary, RunSummary } from '../../../shared/results/summary.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { alikeLines } from './next-steps.tsx';

const { sides, tls, ...request } = runRequestSchema.parse({});
const run = {
  id: 'r'.repeat(22),
  createdAt: 5000,
  target: { kind: 'storefront' },
  asked: { ...request, sides, tls, scenario: null },
  scenario: scenarioSchema.parse({ name: 'Search', steps: [{ name: 'Home', method: 'GET', path: '/' }] }),
  sides: {
    baseline: { transport: 'http', origin: null },
    comparison: { transport: 'https', origin: null },
  },
} as const;
const other: RunSummary = {
  id: 'o'.repeat(22),
  url: `/r/${'o'.repeat(22)}`,
  title: 'Search on storefront',
  generatedTitle: 'Search on storefront',
  tags: [],
  state: 'finished',
  createdAt: 4000,
  endedAt: 4500,
  problem: null,
  queuePosition: null,
  kind: 'comparison',
  scenario: 'Search',
  target: 'storefront',
  length: 'first',
  sides: sidesOfPair(['http', 'https']),
  headline: { title: 'HTTPS costs 16 µs more', second: '+16 % at full load' },
  verdict: { metric: 'cpu_at_load', outcome: 'overhead' },
};
const hrefs = (...summaries: MeasurementSummary[]) =>
  alikeLines(run, summaries, 10_000).map(({ href }) => href);

test('the older run comes first in the address, whichever it is', () => {
  expect(hrefs(other)).toEqual([`/c/${other.id}..${run.id}`]);
  expect(hrefs({ ...other, createdAt: 6000 })).toEqual([`/c/${run.id}..${other.id}`]);
});

test('the run itself and runs with another scenario, target or sides are left out', () => {
  const { headline: _, ...bare } = other;
  const named = { ...bare, id: 'n'.repeat(22), verdict: null };
  const lines = alikeLines(
    run,
    [
      { ...other, id: run.id },
      { ...other, scenario: 'Cart' },
      { ...other, target: 'nginx' },
      { ...other, sides: sidesOfPair(['http', 'h2']) },
      { ...other, sides: { ...other.sides, comparison: { transport: 'https', name: 'X25519' } } },
      named,
      other,
    ],
    10_000,
  );
  expect(lines.map(({ href, title }) => [href, title])).toEqual([
    [`/c/${named.id}..${run.id}`, 'Finished'],
    [`/c/${other.id}..${run.id}`, 'HTTPS costs 16 µs more'],
  ]);
});
