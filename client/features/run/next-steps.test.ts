/** Protects the next steps after every outcome of a run, and that a repeated run asks the same question. */

import { expect, test } from 'vitest';
import { describeProblem } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { createRunSchema } from '../../../shared/kinds/comparison/run-request.ts';
import { isOver, measurementStateSchema } from '../../../shared/measurement/measurement.ts';
import { originsTargetSchema } from '../../../shared/target/target.ts';
import { goldenRun } from '../../../shared/testing/golden-run.ts';
import { sampleCertificate } from '../../../shared/testing/sample-certificate.ts';
import { againStep, nextSteps } from './next-steps.tsx';

const run = goldenRun();
const target = { kind: 'origins', http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' } as const;
const titles = (change: Partial<RunDocument>) => nextSteps({ ...run, ...change }).map(({ title }) => title);
const failed = (code: ProblemCode) => ({ verdict: null, problem: describeProblem(code, { detail: 'So.' }) });
const quick = { ...run.plan, length: 'first' } as const;
const unclearMetrics = run.metrics.map((row) =>
  row.id === 'cpu_at_load' ? { ...row, outcome: 'inconclusive' as const } : row,
);

test.each(measurementStateSchema.options.filter(isOver))('a run that is %s can be run again', (state) => {
  expect(titles({ state }).filter((title) => title.startsWith('Run again, '))).toHaveLength(1);
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
  const ended = { startedAt: 0, endedAt: 31_000 };
  expect(titles({ verdict, metrics, revisionId: null, plan: quick, ...ended })).toEqual([
    expect.stringMatching(/^Start a longer run, at most 4 min: about ±[\d.]+ %$/),
    'Run again, 31 s',
    'Change settings',
  ]);
  expect(nextSteps({ ...run, metrics, plan: quick, verdict })[0]).toMatchObject({
    request: { length: 'quote' },
  });
  expect(titles({ verdict, metrics, plan: { ...run.plan, length: 'fine' }, ...ended })).toEqual([
    'Run again, 31 s',
    'Change settings',
  ]);
  expect(titles({ state: 'failed', plan: quick })[0]).toBe('Run again, at most 1 min');
});

test('an unclear run of the last 15 minutes is continued, unless what is wide is what moves between runs', () => {
  const verdict = { metric: 'cpu_at_load', outcome: 'inconclusive' } as const;
  const unclear = { ...run, metrics: unclearMetrics, plan: quick, verdict, startedAt: 0, endedAt: 40_000 };
  const [first] = nextSteps(unclear, 60_000);
  expect(first).toMatchObject({ request: { kind: 'comparison', continues: run.id } });
  expect(first?.title).toMatch(/^Run 2 min longer: about ±[\d.]+ %$/);
  const longer = /^Start a longer run, at most 4 min: about ±/;
  expect(nextSteps(unclear, 40_000 + 15 * 60_001)[0]?.title).toMatch(longer);
  const moving = unclearMetrics.map((row) => ({
    ...row,
    ...(row.precision && {
      precision: {
        ...row.precision,
        betweenRuns: { variance: 1, degrees: 3, runs: 0, from: 'shipped' as const },
      },
    }),
  }));
  expect(nextSteps({ ...unclear, metrics: moving }, 60_000)[0]?.title).toMatch(longer);
});

const withTarget = (more: object) => originsTargetSchema.parse({ ...target, ...more });

test('a run of the storefront is asked as it was, with a seed of its own', () => {
  const { request, asks } = againStep(run);
  expect(request).toMatchObject({ kind: 'comparison', target: { kind: 'storefront' } });
  const { kind: _, ...parsed } = createRunSchema.parse(request);
  expect(parsed).toMatchObject({ length: run.asked.length, sides: run.asked.sides });
  expect(parsed.seed).toBeUndefined();
  expect(asks).toEqual([]);
});

test('a scenario that is stored nowhere goes along, and one that is stored by its revision', () => {
  const own = { ...run, target: withTarget({}), revisionId: null, asked: { ...run.asked, scenario: null } };
  expect(againStep(own).request.scenario).toEqual(run.scenario);
  const revisionId = 'r'.repeat(22);
  expect(againStep({ ...own, revisionId }).request.scenario).toBe(revisionId);
});

test('the trusted certificate is part of the next run, without a question', () => {
  const trust = `${'AB:'.repeat(31)}AB`;
  expect(againStep({ ...run, target: withTarget({ trust }) })).toMatchObject({
    request: { target: { trust } },
    asks: [],
  });
});

test('a certificate that stood against a run is trusted by one button, which starts', () => {
  const untrusted = `${'CD:'.repeat(31)}CD`;
  const refusedAt = (field: string, parts: object = {}) => {
    const errors = [{ field, message: 'another certificate' }];
    const problem = describeProblem('target_unreachable', { detail: 'So.', errors, untrusted });
    return nextSteps({ ...run, target: withTarget({}), verdict: null, ...parts, problem })[0];
  };
  expect(refusedAt('target.https')).toMatchObject({
    title: expect.stringMatching(/^Trust and start, /),
    request: { target: { http: target.http, https: target.https, trust: untrusted } },
  });
  const { sides } = run.asked;
  const apart = { ...sides, comparison: { ...sides.comparison, target: { origin: 'https://127.0.0.1:9' } } };
  const asked = { ...run.asked, sides: apart };
  expect(refusedAt('sides.comparison.target.origin', { asked })).toMatchObject({
    request: { sides: { comparison: { target: { origin: 'https://127.0.0.1:9', trust: untrusted } } } },
  });
  expect(titles({ target: withTarget({}), ...failed('target_unreachable') })[0]).toBe('Fix the target');
});

test.each([
  ['the key of a client certificate', { clientCertificate: sampleCertificate }, 'client_key'],
  [
    'the token of an agent',
    { agent: { address: '127.0.0.1:7900', fingerprint: `${'AB:'.repeat(31)}AB` } },
    'agent_token',
  ],
])('%s was never kept, and is asked for', (_what, more, name) => {
  expect(againStep({ ...run, target: withTarget(more) }).asks).toMatchObject([{ name }]);
});

test('the secrets of the scenario must be entered', () => {
  const [step] = run.scenario.steps;
  if (step === undefined) throw new Error('the sample has steps');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the notation of scenarios
  const scenario = { ...run.scenario, steps: [{ ...step, path: '/?p=${secret:password}' }] };
  expect(againStep({ ...run, scenario }).asks).toEqual([{ name: 'password', label: 'Secret password' }]);
});
