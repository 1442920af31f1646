import { printNumber } from '../../../../shared/base/quantity.ts';
import type { CpuCheck, Launch } from '../../../../shared/kinds/comparison/run.ts';
import { sumOf } from '../../../method/statistics/mean.ts';

type Launches = readonly Pick<Launch, 'cpuCheck'>[];

/**
 * Why CPU of a run must not be compared, in a sentence; null when it may be. Two counts of the kernel have to agree over every
 * launch and over all of them: its CPU clocks, which the figures come from, and its ticks, which lose nothing of
 * processes and threads that have ended.
 */
export function refusalOfCpu(launches: Launches): string | null {
  const launchChecks = launches.map(({ cpuCheck = [] }) => cpuCheck);
  const checks = launchChecks.flat();
  const trees = [...Map.groupBy(checks, ({ arms }) => arms.join()).values()];
  return (
    lost(checks) ?? readBetweenTurns(trees) ?? disagreement([...checks.map((check) => [check]), ...trees])
  );
}

/** What is coarse about the CPU of a run, in sentences. */
export function warningsOfCpu(launches: Launches): string[] {
  const checks = launches.flatMap(({ cpuCheck = [] }) => cpuCheck);
  const noClock = checks.find((check) => check.noClock !== undefined)?.noClock;
  const ofChildren = checks.some((check) => check.childrenUs > toleranceUs([check]));
  return [
    ...(noClock === undefined
      ? []
      : [`CPU was read in steps of 10 ms, so intervals are wider than they have to be: ${noClock}.`]),
    ...(ofChildren
      ? ['The server starts processes that end. What they used is known in steps of 10 ms.']
      : []),
  ];
}

function lost(checks: readonly CpuCheck[]): string | null {
  const isLost = checks.some(({ unwaited = 0 }) => unwaited > 0);
  return isLost
    ? 'CPU is not measured: the server starts processes that end, such as one for every connection, and does not wait for them, so the kernel does not report what they used.'
    : null;
}

/** Where arms share a tree it is read at every switch between them, and a tick is longer than a turn. */
function readBetweenTurns(trees: readonly CpuCheck[][]): string | null {
  const isShared = trees.some(([check]) => check !== undefined && check.arms.length > 1);
  if (!isShared) return null;
  for (const checks of trees) {
    const childrenUs = sumOf(checks.map((check) => check.childrenUs));
    if (childrenUs > toleranceUs(checks)) {
      const wholeUs = sumOf(checks.map((check) => check.tickUs));
      return `CPU is not measured: the server starts processes that end, such as one for every connection, and ${ms(childrenUs)} of its ${ms(wholeUs)} were used by them between two readings. Give each side and the twin a server of its own.`;
    }
  }
  const noClock = trees.flat().find((check) => check.noClock !== undefined)?.noClock;
  if (noClock === undefined) return null;
  return `CPU is not measured: one server process serves several addresses, so it has to be read at every turn, and that is only possible in steps of 10 ms here: ${noClock}.`;
}

/** @param groups each is judged as a whole */
function disagreement(groups: readonly (readonly CpuCheck[])[]): string | null {
  for (const checks of groups) {
    const clockUs = sumOf(checks.map((check) => check.clockUs + check.childrenUs));
    const tickUs = sumOf(checks.map((check) => check.tickUs));
    if (Math.abs(clockUs - tickUs) > toleranceUs(checks) + 0.01 * Math.max(clockUs, tickUs)) {
      return `Two counts of the server’s CPU disagree: ${ms(clockUs)} by its clock, ${ms(tickUs)} by the kernel’s ticks.`;
    }
  }
  return null;
}

const tickUs = 10_000;

/** User and system time are each cut to whole ticks, at both ends of a launch, in every process. */
function toleranceUs(checks: readonly CpuCheck[]): number {
  return sumOf(checks.map(({ processes }) => 2 * tickUs * Math.max(1, processes)));
}

function ms(us: number): string {
  return `${printNumber(us / 1000, 0)} ms`;
}
