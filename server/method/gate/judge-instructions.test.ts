/** Protects builds that are judged by instructions: counts of the same thing only, and never for the noise of a count. */
import { expect, test } from 'vitest';
import type { Estimate } from '../../../shared/base/estimate.ts';
import { explainRequestSchema, type InstructionCounts } from '../../../shared/kinds/explain/explain.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { parseInstructionCondition } from './condition.ts';
import { type CountedDocument, judgeInstructions } from './judge-instructions.ts';

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
