/** Protects CPU from being wrong in silence: where two counts of it disagree there is a sentence instead. */
import { expect, test } from 'vitest';
import type { CpuCheck } from '../../../shared/kinds/comparison/run.ts';
import { refusalOfCpu, warningsOfCpu } from './refusals.ts';

const check = (given: Partial<CpuCheck> = {}): CpuCheck => ({
  arms: ['baseline'],
  clockUs: 1_000_000,
  childrenUs: 0,
  tickUs: 1_000_000,
  processes: 1,
  ...given,
});
const refusal = (...launches: CpuCheck[][]) => refusalOfCpu(launches.map((cpuCheck) => ({ cpuCheck })));

test('counts that differ by what ticks are cut by, and a hundredth, agree', () => {
  expect(refusal([check({ tickUs: 970_000 })])).toBeNull();
  expect(refusal([check({ tickUs: 969_000 })])).toBe(
    'Two counts of the server’s CPU disagree: 1,000 ms by its clock, 969 ms by the kernel’s ticks.',
  );
  expect(refusal([check({ tickUs: 930_000, processes: 3 })])).toBeNull();
});

test('both figures are named where threads were lost', () => {
  expect(refusal([check()], [check({ clockUs: 232_000, tickUs: 590_000 })])).toBe(
    'Two counts of the server’s CPU disagree: 232 ms by its clock, 590 ms by the kernel’s ticks.',
  );
});

test('each tree is judged for itself', () => {
  const more = check({ clockUs: 900_000 });
  const fewer = check({ arms: ['comparison'], clockUs: 1_100_000 });
  expect(refusal([more, fewer])).not.toBeNull();
});

test('what every launch lacks a little of shows over all of them', () => {
  const launch = [check({ clockUs: 100_000, tickUs: 119_000, processes: 1 })];
  expect(refusal(launch)).toBeNull();
  const long = [check({ clockUs: 10_000_000, tickUs: 10_119_000 })];
  expect(refusal(long)).toBeNull();
  expect(refusal(long, [check({ clockUs: 10_000_000, tickUs: 10_121_500 })])).not.toBeNull();
});

test('processes that end are counted in ticks where each side has its own, and refused where sides share them', () => {
  const children = { clockUs: 232_000, childrenUs: 350_000, tickUs: 590_000 };
  expect(refusal([check(children)])).toBeNull();
  expect(warningsOfCpu([{ cpuCheck: [check(children)] }])).toEqual([
    'The server uses short-lived processes. Their CPU is known only to 10 ms.',
  ]);
  expect(refusal([check({ ...children, arms: ['baseline', 'comparison', 'twin'] })])).toBe(
    'CPU is not measured: the server uses short-lived processes, such as one per connection, which used 350 ms of its 590 ms between two readings. Give each side and the control its own server.',
  );
});

test('processes that nobody waits for are lost to both counts', () => {
  expect(refusal([check({ unwaited: 12 })])).toBe(
    'CPU is not measured: the server uses short-lived processes, such as one per connection, and does not wait for them, so the kernel does not report their CPU.',
  );
});

test('without a clock CPU is coarse where each side has its own processes, and refused where they share them', () => {
  const noClock = 'koffi could not be loaded';
  expect(refusal([check({ noClock })])).toBeNull();
  expect(warningsOfCpu([{ cpuCheck: [check({ noClock })] }])).toEqual([
    'CPU was read in steps of 10 ms, so intervals are wider than they have to be: koffi could not be loaded.',
  ]);
  expect(refusal([check({ noClock, arms: ['baseline', 'twin'] })])).toBe(
    'CPU is not measured: one server process serves several addresses, so it has to be read at every turn, and that is only possible in steps of 10 ms here: koffi could not be loaded.',
  );
});

test('one count, or none, is not judged', () => {
  expect(refusalOfCpu([{ cpuCheck: [] }, {}])).toBeNull();
  expect(warningsOfCpu([{ cpuCheck: [] }, {}])).toEqual([]);
});
