/** Protects the cost at load from a target that fails for a moment: the round in which it does counts for no side. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fromSides } from '../../../../shared/base/arms.ts';
import type { ErrorGroup } from '../../../../shared/base/outcome.ts';
import { type Arm, twoSidesAndTwin } from '../../../../shared/base/transport.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import { runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import { sampleAtLoad } from '../../../../shared/testing/sample-at-load.ts';
import { scriptInstruments } from '../../../testing/scripted-instruments.ts';
import { planFor } from '../plan/presets.ts';
import { measureMaximum } from './measure-maximum.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const plan = { ...planFor(runRequestSchema.parse({}), 7), maximumMs: 900 };
const load = { ...sampleAtLoad, users: 8, burstMs: 50, cores: null };
const error: ErrorGroup = {
  transport: 'https',
  step: 'Search',
  outcome: 'connection_closed_early',
  detail: 'the server closed the connection',
  count: 1,
};

/** A block of six rounds of 500 transactions an arm. A transaction over HTTPS costs a fifth more, and where it fails, ten times as much. */
async function measureWith(fails: (round: number) => boolean, each = 1): Promise<Block> {
  let rounds = 0;
  let failures = 0;
  const { instruments } = scriptInstruments<Arm>({
    arms: twoSidesAndTwin,
    transactionMs: { baseline: 1, comparison: 1, twin: 1 },
    maximumPerS: { baseline: 10_000, comparison: 10_000, twin: 10_000 },
    cpuUs: (arm) => (arm === 'comparison' ? 600 * (fails(rounds) ? 10 : 1) : 500),
    beforeWindow: (nth) => {
      rounds = nth;
    },
    counts: (arm) => ({
      errors: arm === 'comparison' && failures > 0 ? [{ ...error, count: failures }] : [],
    }),
  });
  const { burst } = instruments.generator;
  instruments.generator.burst = async (arm, slot) => {
    const measured = await burst(arm, slot);
    if (arm !== 'comparison' || !fails(rounds)) return measured;
    failures += each;
    return { ...measured, succeeded: measured.succeeded - each };
  };
  const place = {
    ...{ index: 0, launch: 0, epoch: 0, seed: 11, runStartedAtMs: 0 },
    transports: fromSides(twoSidesAndTwin, ['http', 'https'] as const),
    labels: { baseline: 'HTTP', comparison: 'HTTPS', twin: 'twin of HTTP' },
  };
  return measureMaximum(place, plan, load, instruments, new AbortController().signal);
}

test('a round with a failure is set aside for all arms, and the block counts', async () => {
  const { windows, ratios, reasons, slots } = await measureWith((round) => round === 2);
  expect(windows.map(({ aside, failed }) => [aside, failed])).toEqual(
    windows.map((_, round) => (round === 2 ? [true, 1] : [false, undefined])),
  );
  expect(windows).toHaveLength(6);
  expect(reasons).toEqual([]);
  expect(ratios.cpu_at_load?.value).toBeCloseTo(1.2, 9);
  expect(ratios.cpu_at_load?.allValue).toBeGreaterThan(2);
  expect(ratios.throughput?.value).toBeCloseTo(1, 9);
  expect(slots.flatMap((slot) => slot.load.errors)).toEqual([error]);
});

const message = (count: number) =>
  `HTTPS: ${count} requests failed, first Search: the server closed the connection.`;

test('a block in which most rounds fail is left out', async () => {
  const { windows, reasons } = await measureWith((round) => round > 1, 5);
  expect(windows.every(({ aside }) => !aside)).toBe(true);
  expect(reasons).toEqual([{ code: 'errors', spoils: 'all', message: message(20) }]);
});

test('where most rounds fail but few transactions do, throughput alone is left out', async () => {
  const { ratios, reasons } = await measureWith((round) => round > 1);
  expect(reasons).toEqual([{ code: 'errors', spoils: 'throughput', message: message(4) }]);
  expect(ratios.cpu_at_load).toBeDefined();
});
