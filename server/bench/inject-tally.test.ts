/** Protects `bench inject`: when a known slowdown counts as recovered. */
import { expect, test } from 'vitest';
import type { Estimate } from '../../shared/comparison.ts';
import type { MetricId } from '../../shared/metric.ts';
import type { RunDocument } from '../../shared/run.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { type Check, type Effect, observeEffect, printEffects, tallyEffects } from './inject-tally.ts';

const none = { cpuUs: 0, sleepMs: 0, bodyBytes: 0 };
const cpu: Effect = { name: 'CPU', added: { ...none, cpuUs: 50 } };
const sleep: Effect = { name: 'sleep', added: { ...none, sleepMs: 5 } };
const body: Effect = { name: 'body', added: { ...none, bodyBytes: 1024 } };
const steps = sampleRun().scenario.steps.length;

type Shown = { delta?: Estimate | null; ratio?: Estimate | null };

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

test('CPU is recovered when 50 µs times the requests of a transaction lie inside the interval', () => {
  const truth = 50 * steps;
  const of = (delta: Estimate) => observeEffect(showing({ cpu_per_transaction: { delta } }), cpu);
  expect(of(around(truth + 9, 10))).toMatchObject([{ truth, recovered: true }]);
  expect(of(around(truth + 11, 10))).toMatchObject([{ truth, recovered: false }]);
});

test('a sleep has to move the latency by its length, and leave CPU where it was', () => {
  const latency_p50 = { delta: around(5000 * steps, 10) };
  const of = (ratio: Estimate, floor: number) =>
    observeEffect(
      showing(
        { latency_p50, cpu_per_transaction: { ratio } },
        { noiseFloor: { cpu_per_transaction: floor } },
      ),
      sleep,
    )?.map(({ recovered }) => recovered);
  expect(of(around(1.02, 0.03), 0.01)).toEqual([true, true]);
  expect(of(around(1.02, 0.01), 0.025)).toEqual([true, true]);
  expect(of(around(1.03, 0.01), 0.025)).toEqual([true, false]);
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
  expect(of(around(3074, 0))).toMatchObject([{ truth: 3 * 1024 + 2, recovered: true }]);
  expect(of(around(3074 - 1e-7, 0))).toMatchObject([{ recovered: true }]);
  expect(of(around(3073, 0.5))).toMatchObject([{ recovered: false }]);
});

test('a run without the interval that is asked for observes nothing', () => {
  expect(observeEffect(showing({ cpu_per_transaction: { delta: null } }), cpu)).toBeNull();
  expect(observeEffect(showing({ cpu_per_transaction: { ratio: null } }), sleep)).toBeNull();
});

test('rows count the recovered runs of each effect; one with two checks has a row for both together', () => {
  const check = (metric: MetricId, truth: number, recovered: boolean, center = truth): Check => ({
    metric,
    truth,
    estimate: around(center, 10),
    recovered,
  });
  const counted = (effect: Effect, observed: Check[]) =>
    ({ planned: { effect }, outcome: 'counted', observed }) as const;
  const rows = tallyEffects(
    [cpu, sleep],
    [
      counted(cpu, [check('cpu_per_transaction', 150, true, 148)]),
      counted(cpu, [check('cpu_per_transaction', 150, false, 170)]),
      { planned: { effect: cpu }, outcome: 'refused', reason: 'too much noise' },
      counted(sleep, [check('latency_p50', 15_000, true), check('cpu_per_transaction', 0, false)]),
      counted(sleep, [check('latency_p50', 15_000, true), check('cpu_per_transaction', 0, true)]),
    ],
  );
  expect(
    rows.map(({ effect, metric, runs, recovered }) => [effect, metric, `${recovered} of ${runs}`]),
  ).toEqual([
    ['CPU', 'cpu_per_transaction', '1 of 2'],
    ['sleep', 'latency_p50', '2 of 2'],
    ['sleep', 'cpu_per_transaction', '1 of 2'],
    ['sleep', 'together', '1 of 2'],
  ]);
  expect(rows[0]).toMatchObject({
    truth: 150,
    medianEstimate: 159,
    medianHalfWidth: 10,
    refused: 1,
    failed: 0,
  });
  const lost = tallyEffects([body], [{ planned: { effect: body }, outcome: 'failed', reason: 'it broke' }]);
  expect(printEffects(lost)).toMatch(
    /^body +Bytes on the wire per transaction +none counted +0 refused, 1 failed$/m,
  );
  expect(printEffects(rows)).toMatch(
    /^CPU +Server CPU per transaction +\+150 µs +1 of 2, 50 % \(1 to 99 %\) +\+159 µs +±10 µs +1 refused, 0 failed$/m,
  );
});
