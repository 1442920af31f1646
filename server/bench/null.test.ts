/** Protects the count of false alarms in runs as users have them: any row that claims a difference makes the run one. */

import { expect, test } from 'vitest';
import type { VerdictOutcome } from '../../shared/kinds/comparison/comparison.ts';
import type { MetricId } from '../../shared/kinds/comparison/metric.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { type NullRun, observeNull, printNull, tallyNull } from './null.ts';

const run = (
  outcomes: Partial<Record<MetricId, VerdictOutcome>>,
  change: Partial<NullRun> = {},
): NullRun => ({
  ...{ length: 'first', target: 'managed', seconds: 19, state: 'finished', said: '' },
  rows: Object.entries(outcomes).map(([id, outcome]) => ({
    ...{ id: id as MetricId, outcome },
    holds: outcome !== 'overhead',
    ratio: null,
  })),
  ...change,
});
const calm = run({ cpu_at_load: 'no_overhead', throughput: 'not_tested', cpu_lone: 'inconclusive' });
const alarm = run({ cpu_at_load: 'no_overhead', cpu_lone: 'overhead' });

test('every row of a finished run is observed, exploratory ones too', () => {
  const document = sampleRun();
  const { rows, state, length } = observeNull(document, { request: {}, seconds: 19, said: '' });
  expect(rows.map(({ id }) => id)).toEqual(document.metrics.map(({ id }) => id));
  expect({ state, length }).toEqual({ state: document.state, length: document.plan.length });
});

test('a difference in an exploratory row makes the run a false alarm, and nine of a hundred may be one', () => {
  const of = (alarms: number) =>
    tallyNull(Array.from({ length: 100 }, (_, index) => (index < alarms ? alarm : calm)));
  const [any] = of(9);
  expect(any).toMatchObject({ metric: 'any', runs: 100, claiming: 9, atMost: 9 });
  expect(printNull(of(9), [])).toMatch(/^first +any row +9 of 100, .* ≤ 9 +held *$/m);
  expect(printNull(of(10), [])).toMatch(/^first +any row +10 of 100, .* ≤ 9 +missed *$/m);
});

test('what was not tested claims nothing, and what was refused or did not finish does not count', () => {
  const lost = run({}, { state: 'failed' });
  const rows = tallyNull([calm, run({ cpu_at_load: 'refused' }), lost]);
  const row = (metric: string) => rows.find((each) => each.metric === metric);
  expect(row('any')).toMatchObject({ runs: 2, claiming: 0, atMost: 0 });
  expect(row('throughput')).toMatchObject({ runs: 1, notTested: 1, claiming: 0 });
  expect(row('cpu_at_load')).toMatchObject({ runs: 1, refused: 1, within: 1, holding: 1, intervals: 1 });
  expect(printNull(rows, [calm, lost])).toContain('2 runs; 1 of them did not finish');
});

test('each length has its own bound', () => {
  const runs = [
    alarm,
    ...Array.from({ length: 29 }, () => run({ cpu_at_load: 'overhead' }, { length: 'quote' })),
  ];
  const any = tallyNull(runs).filter(({ metric }) => metric === 'any');
  expect(any.map(({ length, claiming, atMost }) => [length, claiming, atMost])).toEqual([
    ['first', 1, 0],
    ['quote', 29, 2],
  ]);
});

test('the half-width of the headline has to be 1.8 to 3 standard deviations of the runs, on each target', () => {
  const of = (halfWidth: number) =>
    tallyNull(
      (['storefront', 'managed'] as const).flatMap((target) =>
        [-1, 0, 1].map((sign) => {
          const center = sign * (target === 'managed' ? 0.02 : 0.01);
          const reach = halfWidth * (target === 'managed' ? 0.02 : 0.01);
          const ratio = {
            center: Math.exp(center),
            lo: Math.exp(center - reach),
            hi: Math.exp(center + reach),
          };
          return run(
            {},
            { target, rows: [{ id: 'cpu_at_load', outcome: 'no_overhead', holds: true, ratio }] },
          );
        }),
      ),
    ).find(({ metric }) => metric === 'cpu_at_load');
  expect(of(2)).toMatchObject({ held: true, widths: [{ target: 'storefront' }, { target: 'managed' }] });
  expect(of(2)?.widths.map(({ inSpreads }) => inSpreads.center)).toEqual([
    expect.closeTo(2, 9),
    expect.closeTo(2, 9),
  ]);
  // The sd of three values may be 3.73 times too small: chi-square with two degrees, from 0.0506 to 7.378.
  expect(of(2)?.widths[0]?.inSpreads.lo).toBeCloseTo(2 * Math.sqrt(0.0506 / 2), 2);
  expect(of(3.1)?.held).toBe(false);
  expect(of(1.7)?.held).toBe(false);
});
