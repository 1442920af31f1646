/** Protects the length of turns: 15 ms at load, longer only for a named reason; over a network, reading takes a fifth of the time at most. */
import { expect, test } from 'vitest';
import { byArm, namesOf } from '../../shared/base/arms.ts';
import { twoSidesAndTwin } from '../../shared/base/transport.ts';
import { localReadings, type RemoteSource } from '../targets/sampling/readings.ts';
import { turnForGrain, turnLength, turnSize } from './turn-length.ts';

const arms = namesOf(twoSidesAndTwin);
const here = localReadings(
  arms,
  byArm(arms, () => null),
  byArm(arms, () => null),
);
const noSteps = (): number | null => null;
const ticks10Ms = (): number | null => 10_000;
const plan = { thinkMs: 0, maximumMs: 3000 };
const bench = { arms: twoSidesAndTwin, readings: { ...here, stepUs: noSteps } };
const remote = { ...bench.readings, remote: { readingUs: 20_000, readEveryUs: 4000 } as RemoteSource };

test.each([
  // Three transactions of each of 16 users at 1,000 per second; five pauses of 20 ms; nine times the wait per turn.
  ['of slow transactions', 'transactions', 48, plan, bench, { perS: 1000 }],
  ['of users who think', 'think_times', 100, { ...plan, thinkMs: 20 }, bench, {}],
  ['of many pauses', 'think_times', 600, { ...plan, thinkMs: 500 }, bench, {}],
  ['over hosts', 'generator_hosts', 90, plan, { ...bench, hosts: { idleUs: () => 10_000 } }, {}],
  // Reading takes a fifth, twenty ticks of a half-busy core, settling 15 %, whole periods of a quota.
  ['over a network', 'readings', 80, plan, { ...bench, readings: remote }, {}],
  [
    'of ticks',
    'ticks',
    400,
    plan,
    { ...bench, readings: { ...here, stepUs: ticks10Ms } },
    { busyCores: 0.5 },
  ],
  ['until processes sleep', 'settling', 57, plan, bench, { settledUs: 10_000 }],
  ['under a quota', 'quota', 100, plan, { ...bench, quotaPeriodMs: 100 }, {}],
  ['of several programs', 'programs', 60, plan, { ...bench, companions: [7] }, {}],
  ['never longer than a round', 'transactions', 1000, plan, bench, { perS: 1 }],
] as const)('a turn %s is longer, and says why', (_, longerFor, burstMs, asked, at, seen) => {
  expect(turnLength(asked, at, 16, seen)).toEqual({ burstMs, longerFor });
});

test('a turn is 15 ms, and up to 20 ms without a reason', () => {
  expect(turnLength(plan, bench, 16)).toEqual({ burstMs: 15 });
  expect(turnLength(plan, bench, 16, { perS: 10_000 })).toEqual({ burstMs: 15 });
  expect(turnLength(plan, bench, 16, { perS: 2500 })).toEqual({ burstMs: 19 });
});

test('turns under a quota hold whole periods of it', () => {
  const limited = { ...bench, quotaPeriodMs: 100 };
  expect(turnLength(plan, limited, 16, { perS: 400 })).toEqual({ burstMs: 200, longerFor: 'transactions' });
});

test.each([
  // A reading of 5 ms is followed by 20 ms of transactions of 5.2 ms; of 0.1 ms, by those of 4 ms less that.
  ['over 5 ms', { readingUs: 5000, readEveryUs: 4000 }, 5200, 5],
  ['over 5 ms, with a faster target', { readingUs: 5000, readEveryUs: 4000 }, 400, 50],
  ['on one machine', { readingUs: 100, readEveryUs: 4000 }, 100, 39],
  ['on one machine, with a slow target', { readingUs: 100, readEveryUs: 4000 }, 3000, 5],
  ['on one machine, with one that takes seconds', { readingUs: 100, readEveryUs: 4000 }, 2e6, 1],
  ['over a satellite', { readingUs: 600_000, readEveryUs: 4000 }, 500, 200],
])('%s', (_, source, transactionUs, expected) => {
  expect(turnSize(source, transactionUs)).toBe(expected);
});

const micro = { stepUs: 1, readingCpuUs: 0 };
const ticks = { stepUs: 10_000, readingCpuUs: 0 };

test.each([
  // A hundred steps of 1 µs are one transaction of 100 µs; a hundred ticks are a second, 20 pages of 50 ms.
  ['microseconds', micro, 100, 500, 1],
  ['ticks under heavy pages', ticks, 50_000, 60_000, 20],
  ['a reading that costs the target 2 ms', { stepUs: 1, readingCpuUs: 2000 }, 500, 600, 40],
])('%s fit into a turn', (_, grain, cpuUs, transactionUs, transactions) => {
  expect(turnForGrain(grain, cpuUs, transactionUs)).toEqual({ transactions });
});

test.each([
  ['ticks under light pages', ticks, 100, 500, /steps of 10 ms, .* 200 transactions, uses 20 ms\./],
  ['whole seconds', { stepUs: 1e6, readingCpuUs: 0 }, 50_000, 60_000, /steps of 1\.0 s, .* 33 transactions/],
  ['no step yet', { stepUs: null, readingCpuUs: 0 }, 0, 500, /did not move/],
  ['dear readings', { stepUs: 1, readingCpuUs: 20_000 }, 100, 500, /costs the target 20 ms of CPU/],
  ['ticks at a low rate', ticks, 50_000, 1e6, /2 transactions, uses 100 ms/],
])('%s fit into none, and it is said why', (_, grain, cpuUs, transactionUs, refused) => {
  expect(turnForGrain(grain, cpuUs, transactionUs)).toEqual({ refused: expect.stringMatching(refused) });
});
