/** Protects the cost at load from a target that fails for a moment: the sample in which it does counts for no side. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fromSides } from '../../../../shared/base/arms.ts';
import type { ErrorGroup } from '../../../../shared/base/outcome.ts';
import { type Arm, twoSidesAndTwin } from '../../../../shared/base/transport.ts';
import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import { runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import { scriptInstruments } from '../../../testing/scripted-instruments.ts';
import { planFor } from '../run-plan.ts';
import { measureAtLoad } from './launch-under-way.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const plan = { ...planFor(runRequestSchema.parse({}), 7), maximumMs: 6000 };
const unread = { busyCores: null, cpuUs: null };
/** Ten rounds of three arms fill a sample. */
const [roundsOfSample, burstMs] = [10, 100 / 3];
const load: AtLoad = {
  ...{ users: 8, ratePerS: null, burstMs, cores: null, chosen: 'asked' },
  sides: { baseline: unread, comparison: unread },
};
const error: ErrorGroup = {
  transport: 'https',
  step: 'Search',
  outcome: 'connection_closed_early',
  detail: 'the server closed the connection',
  count: 1,
};

/** A block of six samples of 3,330 transactions an arm. A transaction over HTTPS costs a fifth more, and where it fails, ten times as much. */
async function measureWith(failsIn: (sample: number) => boolean, each = 1): Promise<Block> {
  let rounds = 0;
  let failures = 0;
  const fails = (round: number) =>
    failsIn(Math.floor(round / roundsOfSample)) && round % roundsOfSample === 3;
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
    labels: { baseline: 'HTTP', comparison: 'HTTPS', twin: 'control of HTTP' },
  };
  const block = await measureAtLoad(place, plan, load, instruments, new AbortController().signal);
  if (block === null) throw new Error('nothing asks whether the load fits');
  return block;
}

test('a sample with a failure is set aside for all arms, and the block counts', async () => {
  const { windows, ratios, reasons, slots } = await measureWith((sample) => sample === 2);
  expect(windows.map(({ aside, failed }) => [aside, failed])).toEqual(
    windows.map((_, sample) => (sample === 2 ? [true, 1] : [false, undefined])),
  );
  expect(windows).toHaveLength(6);
  expect(reasons).toEqual([]);
  expect(ratios.cpu_at_load?.value).toBeCloseTo(1.2, 9);
  expect(ratios.cpu_at_load?.allValue).toBeGreaterThan(1.3);
  expect(ratios.throughput?.value).toBeCloseTo(1, 9);
  expect(slots.flatMap((slot) => slot.load.errors)).toEqual([error]);
});

const message = (count: number) =>
  `HTTPS: ${count} requests failed, first Search: the server closed the connection.`;

test('a block in which most samples fail is left out', async () => {
  const { windows, reasons } = await measureWith((sample) => sample > 1, 50);
  expect(windows.every(({ aside }) => !aside)).toBe(true);
  expect(reasons).toEqual([{ code: 'errors', spoils: 'all', message: message(200) }]);
});

test('where most samples fail but few transactions do, throughput alone is left out', async () => {
  const { ratios, reasons } = await measureWith((sample) => sample > 1);
  expect(reasons).toEqual([{ code: 'errors', spoils: 'throughput', message: message(4) }]);
  expect(ratios.cpu_at_load).toBeDefined();
});
