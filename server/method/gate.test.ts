/** Protects builds: they fail when the whole interval is beyond the limit, and never for doubt alone. */

import { expect, test } from 'vitest';
import type { Estimate } from '../../shared/base/units.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { explainRequestSchema, type InstructionCounts } from '../../shared/kinds/explain/explain.ts';
import type { PriceItem } from '../../shared/kinds/prices/prices.ts';
import { sampleRun } from '../testing/sample-run.ts';
import {
  annotationOf,
  type CountedDocument,
  judge,
  judgeInstructions,
  judgePrices,
  parseCondition,
  parseInstructionCondition,
  parsePriceCondition,
  printJunit,
} from './gate.ts';

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
  expect(xml).toContain(
    '<failure message="cpu_at_load &#62; 20%: Server CPU per transaction at full load +25 %',
  );
  expect(annotationOf(failed)).toMatch(/^::error title=TLS Toll::cpu_at_load > 20%25: /);
  expect(annotationOf(passed)).toBeNull();
});

/** Protects what fails a build: conditions are read as they are written, and nothing else passes for one. */

test.each([
  ['cpu_at_load > 20%', { metric: 'cpu_at_load', operator: '>', of: 'change', limit: 0.2 }],
  ['throughput<-10.5 %', { metric: 'throughput', operator: '<', of: 'change', limit: -0.105 }],
  ['latency_p50 > 2 ms', { metric: 'latency_p50', operator: '>', of: 'difference', limit: 2000 }],
  ['memory_growth > 1.5MB', { metric: 'memory_growth', operator: '>', of: 'difference', limit: 1_500_000 }],
])('%j is read', (text, condition) => {
  expect(parseCondition(` ${text} `)).toEqual({ ...condition, text });
});

test.each([
  ['cpu > 20%', /“cpu” is not a metric\. Metrics are throughput/],
  ['cpu_at_load > lots', /Write a metric, > or </],
  ['cpu_at_load > 20', /Write a metric, > or </],
  ['cpu_at_load >= 20%', /Write a metric, > or </],
  ['memory_growth > 5%', /no change in percent/],
  ['latency_p50 > 2 kB', /has no unit kB/],
  ['', /Write a metric/],
  [`${'x'.repeat(10_000)} > 1%`, /is not a metric/],
])('%j is refused in a sentence', (text, sentence) => {
  expect(() => parseCondition(text)).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({
        code: 'invalid_arguments',
        detail: expect.stringMatching(sentence),
      }),
    }),
  );
});

/** Protects builds that are judged by instructions: counts of the same thing only, and never for the noise of a count. */

const { environment } = sampleRun();
const base: Estimate = { center: 13_000, lo: 12_990, hi: 13_010 };

function counted(comparison: Estimate, change: Partial<CountedDocument> = {}): CountedDocument {
  const instructions: InstructionCounts = {
    ...{
      valgrind: '3.19.0',
      requests: 128,
      parts: { baseline: [], comparison: [] },
      groups: [],
      functions: [],
    },
    ...{ perRequest: { baseline: base, comparison }, delta: comparison },
  };
  return {
    ...{ environment, instructions },
    request: explainRequestSchema.parse({ kind: 'explain', instructions: true }),
    server: { title: 'nginx', version: '1.22.1', tlsLibrary: 'OpenSSL 3.0.19' },
    ...change,
  };
}

const exactly = (center: number): Estimate => ({ center, lo: center * 0.9995, hi: center * 1.0005 });
const then = counted(exactly(78_000));
const limit = parseInstructionCondition('instructions_per_transaction > 2%');
const against = { against: then, strict: false };

test.each([
  [78_000 * 1.03, false, 'failed'],
  [78_000 * 1.02 + 1, false, 'passed'],
  [78_000 * 1.02 + 1, true, 'failed'],
  [78_000 * 0.9, true, 'passed'],
])('%d instructions, strict %j: %s', (center, strict, outcome) => {
  expect(judgeInstructions(counted(exactly(center)), limit, { against: then, strict }).outcome).toBe(outcome);
});

test('the sentence has the count and the change', () => {
  expect(judgeInstructions(counted(exactly(80_340)), limit, against).sentence).toBe(
    'instructions_per_transaction > 2%: a request over HTTPS takes 80,340 instructions, +3.00 % compared with the earlier result. Failed.',
  );
});

test('a number of instructions is counted from the other side, or from the earlier result', () => {
  const number = parseInstructionCondition('instructions_per_transaction > 60000');
  const alone = judgeInstructions(then, number, { against: null, strict: false });
  expect(alone).toMatchObject({
    outcome: 'failed',
    sentence: expect.stringContaining('+65,000 than over HTTP'),
  });
  expect(judgeInstructions(counted(exactly(90_000)), number, against).outcome).toBe('passed');
});

test.each<[Partial<CountedDocument>, string]>([
  [{ environment: { ...environment, cpuModel: 'Another CPU' } }, 'the CPU was'],
  [{ server: { ...then.server, version: '1.30.0' } }, 'the server was nginx 1.22.1 and is nginx 1.30.0'],
  [{ server: { ...then.server, tlsLibrary: 'OpenSSL 3.5.0' } }, 'the TLS library was OpenSSL 3.0.19'],
  [
    { instructions: then.instructions && { ...then.instructions, valgrind: '3.20.0' } },
    'Valgrind was 3.19.0',
  ],
  [{ request: { ...then.request, bytes: 1 } }, 'the document was 10000 bytes and is 1 bytes'],
  [{ instructions: null }, 'this result has no counts'],
])('counts of something else are not judged: %#', (change, why) => {
  const found = judgeInstructions(counted(exactly(90_000), change), limit, against);
  expect(found).toMatchObject({ outcome: 'unknown', sentence: expect.stringContaining(why) });
});

test('the key may have changed', () => {
  const request = { ...then.request, key: 'RSA-2048' as const };
  expect(judgeInstructions(counted(exactly(90_000), { request }), limit, against).outcome).toBe('failed');
});

test('conditions of runs are not taken', () => {
  expect(() => parseInstructionCondition('cpu_at_load > 2%')).toThrow(/“cpu_at_load” is not a metric/);
  expect(() => parseInstructionCondition('instructions_per_transaction > 2 ms')).toThrow(/has no unit ms/);
});

const item = (id: string, baseline: number, difference: Estimate): PriceItem => ({
  ...{ id, title: id, unit: 'us', difference, missing: null },
  baseline: { center: baseline, lo: baseline - 1, hi: baseline + 1 },
  comparison: {
    center: baseline + difference.center,
    lo: baseline + difference.lo,
    hi: baseline + difference.hi,
  },
});
const listWith = (connectionUs: number) => ({
  items: [
    item('request', 24, { center: 16, lo: 14, hi: 18 }),
    item('connection', 30, { center: connectionUs, lo: connectionUs - 20, hi: connectionUs + 20 }),
  ],
});

// A request over HTTPS costs 38 to 42 µs: 1,000 µs are 23.3 to 26.8 of them.
test.each([
  ['connection > 20x request', 'failed', /costs 25\.0 × request \(95 % CI 23\.3 to 26\.8\)\. Failed/],
  ['connection > 24 x request', 'passed', /Passed/],
  ['connection < 30x request', 'failed', /Failed/],
  ['request > 50%', 'failed', /\+67 %/],
  ['connection > 900 µs', 'failed', /Microseconds change with the machine/],
  ['memory > 20 kB', 'unknown', /this list has no such price/],
])('a price list and “%s”: %s', (text, outcome, sentence) => {
  expect(judgePrices(listWith(1000), parsePriceCondition(text), alone)).toMatchObject({
    outcome,
    sentence: expect.stringMatching(sentence),
  });
});

test('a price list is judged against an earlier one', () => {
  const how = { against: listWith(1000), strict: false };
  const dearer = parsePriceCondition('connection > 10%');
  expect(judgePrices(listWith(1050), dearer, how).outcome).toBe('passed');
  const judged = judgePrices(listWith(1300), dearer, how);
  expect(judged).toMatchObject({ outcome: 'failed' });
  expect(judged.sentence).toMatch(/compared with the earlier list/);
});

test.each([
  ['handshake > 20x request', /“handshake” is not an item/],
  ['connection > 20x memory', /different units/],
  ['connection > 20 kB', /has no unit kB/],
  ['connection > -1x request', /cannot be read/],
])('the condition “%s” is refused', (text, sentence) => {
  expect(() => parsePriceCondition(text)).toThrow(sentence);
});
