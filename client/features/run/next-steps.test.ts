/** Protects the way on from every ending of a run. */

import { expect, test } from 'vitest';
import { describeProblem } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { isOver, measurementStateSchema } from '../../../shared/measurement/measurement.ts';
import { goldenRun } from '../../../shared/testing/golden-run.ts';
import { nextSteps } from './next-steps.tsx';

const run = goldenRun();
const target = { kind: 'origins', http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' } as const;
const titles = (change: Partial<RunDocument>) => nextSteps({ ...run, ...change }).map(({ title }) => title);
const failed = (code: ProblemCode) => ({ verdict: null, problem: describeProblem(code, { detail: 'So.' }) });
const quick = { ...run.plan, length: 'first' } as const;
const unclearMetrics = run.metrics.map((row) =>
  row.id === 'cpu_at_load' ? { ...row, outcome: 'inconclusive' as const } : row,
);

test.each(measurementStateSchema.options.filter(isOver))('a run that is %s can be run again', (state) => {
  expect(titles({ state })).toContain('Run again');
});

test('what nothing but another target would change comes first', () => {
  expect(titles({ target, ...failed('target_unreachable') })[0]).toBe('Fix the target');
  expect(titles({ target, revisionId: 'a'.repeat(22), ...failed('scenario_unfit') })).toEqual([
    'Open the scenario',
    'Fix the target',
  ]);
  expect(titles(failed('too_many_connections'))[0]).toBe('Change the settings');
});

test('an answer that is not clear asks for a longer run, and the longest has none', () => {
  const verdict = {
    metric: 'cpu_at_load',
    outcome: 'inconclusive',
  } as const;
  const metrics = unclearMetrics;
  expect(titles({ verdict, metrics, revisionId: null, plan: quick })).toEqual([
    expect.stringMatching(/^Run longer, at most 4 min: about ±[\d.]+ %$/),
    'Run again',
    'Change settings',
  ]);
  expect(nextSteps({ ...run, metrics, plan: quick, verdict })[0]).toMatchObject({
    request: { length: 'quote' },
  });
  // Trust for that run only has to be given again.
  const trusting = { ...target, trust: 'a'.repeat(64) };
  expect(nextSteps({ ...run, metrics, target: trusting, plan: quick, verdict })[0]).toMatchObject({
    to: `/?again=${run.id}&length=quote`,
  });
  expect(titles({ verdict, metrics, plan: { ...run.plan, length: 'fine' } })).toEqual([
    'Run again',
    'Change settings',
  ]);
});

test('an unclear run of the last 15 minutes is continued, unless what is wide is what moves between runs', () => {
  const verdict = { metric: 'cpu_at_load', outcome: 'inconclusive' } as const;
  const unclear = { ...run, metrics: unclearMetrics, plan: quick, verdict, startedAt: 0, endedAt: 40_000 };
  const [first] = nextSteps(unclear, 60_000);
  expect(first).toMatchObject({ request: { kind: 'comparison', continues: run.id } });
  expect(first?.title).toMatch(/^Run 2 min longer: about ±[\d.]+ %$/);
  expect(nextSteps(unclear, 40_000 + 15 * 60_001)[0]?.title).toMatch(/^Run longer, at most 4 min: about ±/);
  const moving = unclearMetrics.map((row) => ({
    ...row,
    ...(row.precision && {
      precision: {
        ...row.precision,
        betweenRuns: { variance: 1, degrees: 3, runs: 0, from: 'shipped' as const },
      },
    }),
  }));
  expect(nextSteps({ ...unclear, metrics: moving }, 60_000)[0]?.title).toMatch(
    /^Run longer, at most 4 min: about ±/,
  );
});
