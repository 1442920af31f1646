/** Protects windows whose turns are read from elsewhere: each arm gets its own CPU, and half a group counts for no latency. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { byArm, namesOf } from '../../shared/base/arms.ts';
import { type Arm, twoSidesAndTwin } from '../../shared/base/transport.ts';
import type { WindowOptions, WindowResult } from '../drive/load/load-messages.ts';
import type { Readings } from '../targets/sampling/readings.ts';
import { measureWindow } from './lockstep.ts';

const arms = namesOf(twoSidesAndTwin);

const turnMs = 5;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const costUs: Record<Arm, number> = { baseline: 10, comparison: 15, twin: 10 };

/** A target whose CPU grows with each turn; `failing` answers nothing. */
function scripted(failing: Arm | null) {
  let cpuUs = 0;
  const asked: WindowOptions<Arm>[] = [];
  const window = async (options: WindowOptions<Arm>): Promise<WindowResult<Arm>> => {
    asked.push(options);
    vi.advanceTimersByTime(turnMs);
    const [arm = 'baseline'] = options.arms;
    const transactions = arm === failing ? 0 : options.turnTransactions;
    cpuUs += transactions * costUs[arm];
    return {
      ...{ elapsedUs: 1, generatorCpuUs: 2, groups: 1 },
      arms: byArm(arms, (each) => ({ transactions: each === arm ? transactions : 0, cpuUs: null })),
      latenciesUs: Float32Array.from(arm === failing ? [] : [costUs[arm]]),
    };
  };
  const remote = { readTurnUs: async () => cpuUs } as NonNullable<Readings<Arm>['remote']>;
  const readings = { shared: true, remote } as Readings<Arm>;
  const bench = {
    arms: twoSidesAndTwin,
    generator: { window } as never,
    readings,
    turnTransactions: 7,
  };
  const measure = () => measureWindow(bench, { durationMs: 50, users: 1, seed: 3, firstRow: 20 });
  return { asked, measure };
}

test('each arm has the CPU of its own turns, and as many transactions as the others', async () => {
  const { asked, measure } = scripted(null);
  const result = await measure();
  const transactions = 7 * result.groups;
  expect(result.arms).toEqual(byArm(arms, (arm) => ({ transactions, cpuUs: transactions * costUs[arm] })));
  expect(result.latenciesUs.subarray(0, 3)).toEqual(Float32Array.from(arms.map((arm) => costUs[arm])));
  expect(result.generatorCpuUs).toBe(2 * asked.length);
  // Every group asks each arm once, all with the same row.
  const [first, second] = [asked.slice(0, 3), asked.slice(3, 6)];
  expect(first.map((turn) => turn.arms[0]).toSorted()).toEqual(arms.toSorted());
  expect(new Set(first.map(({ firstRow }) => firstRow))).toEqual(new Set([20]));
  expect(new Set(second.map(({ firstRow }) => firstRow))).toEqual(new Set([21]));
});

test('a group in which an arm failed has no latencies', async () => {
  const result = await scripted('comparison').measure();
  expect(result.latenciesUs).toHaveLength(0);
  expect(result.arms.comparison).toEqual({ transactions: 0, cpuUs: 0 });
});
