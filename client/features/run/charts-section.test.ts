/** Protects cost by load: its points in order, each with the load that it was read at, and no claim of an uncertain one. */

import { expect, test } from 'vitest';
import { goldenRun } from '../../../shared/testing/golden-run.ts';
import { sampleAtLoad } from '../../../shared/testing/sample-at-load.ts';
import { sampleCpu } from '../../../shared/testing/sample-metric.ts';
import { loadInSentence, loadView } from './charts-section.tsx';

const run = goldenRun();
const labels = { baseline: 'HTTP', comparison: 'HTTPS' };

test('the points are from the lightest load to the heaviest', () => {
  const view = loadView(run);
  expect(view?.map(({ title }) => title)).toEqual([
    'With one user',
    'At half load, 620 transactions/s',
    'At full load, 8 users',
  ]);
  expect(view && loadInSentence(view, labels)).toMatch(
    /^Server CPU per transaction with HTTPS: \+\d+ µs with one user, \+\d+ µs at half load, \+\d+ µs at full load$/,
  );
});

test('a point that was read at a rate says so', () => {
  const atLoad = { ...sampleAtLoad, ratePerS: 2000 };
  expect(loadView({ ...run, atLoad })?.at(-1)).toMatchObject({
    title: 'At 2,000 transactions/s, 8 users',
    finding: expect.stringMatching(/ at 2,000 transactions\/s$/),
  });
});

test('of an uncertain difference the interval is said, and a refused one is named', () => {
  const metrics = [
    { ...sampleCpu, id: 'cpu_lone' as const, outcome: 'refused' as const },
    { ...sampleCpu, outcome: 'inconclusive' as const },
  ];
  expect(loadView({ ...run, metrics })?.map(({ finding }) => finding)).toEqual([
    'not available with one user',
    '+20.0 to +22.2 % at full load',
  ]);
});

test('there is none of a single load, or where nothing was measured', () => {
  expect(loadView({ ...run, metrics: [sampleCpu] })).toBeNull();
  const empty = { ...sampleCpu, id: 'cpu_lone' as const, baseline: null, comparison: null };
  expect(loadView({ ...run, metrics: [sampleCpu, empty] })).toBeNull();
});
