/** Protects how recovered effects are counted: coverage, power with the right sign, and bias. */

import { expect, test } from 'vitest';
import type { Estimate } from '../../shared/base/units.ts';
import type { VerdictOutcome } from '../../shared/kinds/comparison/comparison.ts';
import type { MetricId } from '../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { noPerturbation as none } from '../testing/no-perturbation.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { type Check, type Effect, observeEffect, printEffects, tallyEffects } from './inject.ts';

const calm = { comparison: none, others: none, cpuUs: 0, latencyUs: 0, loops: 0 };
const cpu: Effect = { ...calm, name: 'CPU', comparison: { ...none, cpuUs: 50 }, cpuUs: 50 };
const cheaper: Effect = { ...calm, name: 'less CPU', others: { ...none, cpuUs: 50 }, cpuUs: -50 };
const sleep: Effect = {
  ...{ ...calm, name: 'sleep', latencyUs: 15_600 },
  ...{ comparison: { ...none, sleepMs: 8 }, others: { ...none, sleepMs: 3 } },
};
const body: Effect = { ...calm, name: 'body', comparison: { ...none, bodyBytes: 1024 } };
const steps = sampleRun().scenario.steps.length;

type Shown = { delta: Estimate | null; outcome?: VerdictOutcome };

/** A document in which some metrics show what is wanted. */
function showing(shown: Partial<Record<MetricId, Shown>>, change: Partial<RunDocument> = {}): RunDocument {
  const document = sampleRun();
  const metrics = document.metrics.map((metric) => ({ ...metric, ...shown[metric.id] }));
  return { ...document, metrics, ...change };
}

const around = (center: number, halfWidth: number): Estimate => ({
  center,
  lo: center - halfWidth,
  hi: center + halfWidth,
});

test('CPU is recovered when its cost times the requests of a transaction lies inside the interval', () => {
  const truth = 50 * steps;
  const of = (delta: Estimate) => observeEffect(showing({ cpu_at_load: { delta } }), cpu);
  expect(of(around(truth + 9, 10))).toMatchObject([{ truth, covered: true }]);
  expect(of(around(truth + 11, 10))).toMatchObject([{ truth, covered: false }]);
});

test('an effect is found when it is called an overhead and lies on the side of the truth', () => {
  const of = (effect: Effect, center: number, outcome: VerdictOutcome) =>
    observeEffect(showing({ cpu_at_load: { delta: around(center, 10), outcome } }), effect)?.[0]?.found;
  expect(of(cheaper, -150, 'overhead')).toBe(true);
  expect(of(cheaper, 150, 'overhead')).toBe(false);
  expect(of(cpu, 150, 'inconclusive')).toBe(false);
});

test('a sleep has to move the latency by what it was seen to cost', () => {
  const of = (delta: Estimate) =>
    observeEffect(showing({ latency_p50: { delta } }), sleep)?.map(({ covered }) => covered);
  expect(of(around(15_605, 10))).toEqual([true]);
  expect(of(around(15_000, 10))).toEqual([false]);
});

test('bytes are exact: the bodies, and the digits by which Content-Length grows', () => {
  const { preflight } = sampleRun();
  if (preflight === null) throw new Error('the sample has no preflight');
  const { baseline } = preflight.sides;
  const [response] = baseline.responses;
  if (response === undefined) throw new Error('the sample has no responses');
  const responses = [50_000, 99_500, 8976].map((bodyBytes) => ({ ...response, bodyBytes }));
  const withBodies = { ...preflight, sides: { ...preflight.sides, baseline: { ...baseline, responses } } };
  const of = (delta: Estimate) =>
    observeEffect(showing({ wire_bytes_per_transaction: { delta } }, { preflight: withBodies }), body);
  expect(of(around(3074, 0))).toMatchObject([{ truth: 3 * 1024 + 2, covered: true }]);
  expect(of(around(3074 - 1e-7, 0))).toMatchObject([{ covered: true }]);
  expect(of(around(3073, 0.5))).toMatchObject([{ covered: false }]);
});

test('a run without the interval that is asked for observes nothing', () => {
  expect(observeEffect(showing({ cpu_at_load: { delta: null } }), cpu)).toBeNull();
});

test('rows count coverage, findings and signs of each effect, and its bias', () => {
  const check = (metric: MetricId, truth: number, covered: boolean, center = truth): Check => ({
    ...{ metric, truth, covered, estimate: around(center, 10) },
    found: covered,
  });
  const counted = (effect: Effect, observed: Check[]) => ({ effect, checks: observed }) as const;
  const rows = tallyEffects(
    [cpu, sleep],
    [
      counted(cpu, [check('cpu_at_load', 150, true, 148)]),
      counted(cpu, [check('cpu_at_load', 150, false, 170)]),
      { effect: cpu, checks: null },
      counted(sleep, [check('latency_p50', 15_600, true)]),
    ],
  );
  expect(rows.map((row) => [row.effect, row.metric, `${row.covered} of ${row.runs}`, row.rightSign])).toEqual(
    [
      ['CPU', 'cpu_at_load', '1 of 2', 2],
      ['sleep', 'latency_p50', '1 of 1', 1],
    ],
  );
  // −2 and +20: 9 ± t(1 degree) × 11.
  const reach = Math.tan(0.475 * Math.PI) * 11;
  expect(rows[0]?.bias?.center).toBeCloseTo(9, 12);
  expect(rows[0]?.bias?.hi).toBeCloseTo(9 + reach, 6);
  expect(rows[0]).toMatchObject({ truth: 150, medianHalfWidth: 10, lost: 1 });
  expect(printEffects(rows)).toMatch(
    /^CPU +Server CPU per transaction at full load +\+150 µs +1 of 2, 50 % \(1 to 99 %\) +1 of 2, .* +\+9 µs .* ±10 µs +1$/m,
  );
  const lost = tallyEffects([body], [{ effect: body, checks: null }]);
  expect(printEffects(lost)).toMatch(/^body +Bytes on the wire per transaction +none counted .* 1$/m);
});
