/** Protects builds: they fail when the whole interval is beyond the limit, and never for doubt alone. */
import { expect, test } from 'vitest';
import type { Estimate } from '../../../shared/base/estimate.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { parseCondition } from './condition.ts';
import { annotationOf, judge, printJunit } from './judge.ts';

const sample = sampleRun();

function runWith(ratio: Estimate | null, delta: Estimate | null = null): Pick<RunDocument, 'metrics'> {
  const metrics = sample.metrics.map((row) =>
    row.id === 'cpu_at_load' ? { ...row, outcome: 'overhead' as const, ratio, delta } : row,
  );
  return { metrics };
}

const alone = { against: null, strict: false };
const dearer = parseCondition('cpu_at_load > 20%');

test.each([
  [{ center: 1.25, lo: 1.21, hi: 1.29 }, false, 'failed'],
  [{ center: 1.25, lo: 1.19, hi: 1.31 }, false, 'passed'],
  [{ center: 1.25, lo: 1.19, hi: 1.31 }, true, 'failed'],
  [{ center: 1.15, lo: 1.05, hi: 1.25 }, true, 'passed'],
])('with a ratio of %j, strict %j, it is %s', (ratio, strict, outcome) => {
  expect(judge(runWith(ratio), dearer, { against: null, strict }).outcome).toBe(outcome);
});

test('less than a limit is judged by the upper end', () => {
  const cheaper = parseCondition('cpu_at_load < 10%');
  expect(judge(runWith({ center: 1.05, lo: 1.02, hi: 1.09 }), cheaper, alone).outcome).toBe('failed');
  expect(judge(runWith({ center: 1.05, lo: 1.0, hi: 1.11 }), cheaper, alone).outcome).toBe('passed');
});

test('a limit in a unit is about the difference', () => {
  const delta = { center: 120, lo: 105, hi: 135 };
  const run = runWith({ center: 1.2, lo: 1.1, hi: 1.3 }, delta);
  expect(judge(run, parseCondition('cpu_at_load > 100 µs'), alone).outcome).toBe('failed');
  expect(judge(run, parseCondition('cpu_at_load > 0.11 ms'), alone).outcome).toBe('passed');
});

test('beside an earlier run the ratios are divided, and their widths add up as independent ones', () => {
  const then = runWith({ center: 1.2, lo: 1.2 / 1.03, hi: 1.2 * 1.03 });
  const now = runWith({ center: 1.32, lo: 1.32 / 1.04, hi: 1.32 * 1.04 });
  // 1.32 ÷ 1.2 = 1.1; sqrt(ln(1.03)² + ln(1.04)²) = 0.0491, so from 1.0473 to 1.1554.
  const against = { against: then, strict: false };
  expect(judge(now, parseCondition('cpu_at_load > 4.7%'), against).outcome).toBe('failed');
  const passed = judge(now, parseCondition('cpu_at_load > 4.8%'), against);
  expect(passed.outcome).toBe('passed');
  expect(passed.sentence).toContain('compared with the earlier run');
});

test('what was not measured is unknown, in a sentence that names the run', () => {
  expect(judge(runWith(null), dearer, alone)).toMatchObject({
    outcome: 'unknown',
    sentence: 'cpu_at_load > 20%: this run has no cpu_at_load to judge by.',
  });
  const known = runWith({ center: 1.1, lo: 1.05, hi: 1.15 });
  expect(judge(known, dearer, { against: runWith(null), strict: false })).toMatchObject({
    outcome: 'unknown',
    sentence: expect.stringContaining('the earlier run'),
  });
});

test('reports carry the sentence, with nothing that breaks their formats', () => {
  const failed = judge(runWith({ center: 1.25, lo: 1.21, hi: 1.29 }), dearer, alone);
  const passed = judge(runWith({ center: 1.15, lo: 1.05, hi: 1.25 }), dearer, alone);
  const xml = printJunit([failed, passed], 'GET & "POST" <both>', 28);
  expect(xml).toContain('tests="2" failures="1" errors="0" time="28.000"');
  expect(xml).toContain('name="GET &#38; &#34;POST&#34; &#60;both&#62;"');
  expect(xml).toContain('<failure message="cpu_at_load &#62; 20%: Server CPU per transaction at load +25 %');
  expect(annotationOf(failed)).toMatch(/^::error title=TLS Toll::cpu_at_load > 20%25: /);
  expect(annotationOf(passed)).toBeNull();
});
