import { printNumber, printShare } from '../../../../shared/base/quantity.ts';
import type { MeshLaunch } from '../../../../shared/kinds/mesh/mesh.ts';
import { warningOfFailures } from '../../../method/statistics/judge-windows.ts';
import { meanOf, sumOf } from '../../../method/statistics/mean.ts';

const mostAside = 0.1;
/** Of the kernel's ticks of 10 ms, each process may be off by two; beside that both counts are to agree within 2 %. */
const tickUs = 10_000;
const agreement = 0.02;

/** What a reader must know of the launches as a whole. */
export function meshWarnings(launches: readonly MeshLaunch[]): string[] {
  if (launches.length === 0) return [];
  const rounds = launches.flatMap((launch) => launch.rounds);
  const aside = meanOf(rounds.map((round) => (round.aside ? 1 : 0)));
  const failures = warningOfFailures([{ windows: rounds }]);
  const clockUs = sumOf(launches.map(({ cpuCheck }) => cpuCheck.clockUs));
  const ticksUs = sumOf(launches.map(({ cpuCheck }) => cpuCheck.tickUs));
  const slack = sumOf(launches.map(({ cpuCheck }) => 2 * tickUs * cpuCheck.processes));
  return [
    ...(failures === null ? [] : [failures]),
    ...(aside <= mostAside
      ? []
      : [`Other programs disturbed ${printShare(aside)} of the rounds, which were set aside for all arms.`]),
    ...(Math.abs(clockUs - ticksUs) <= slack + agreement * ticksUs
      ? []
      : [
          `Two counts of the same CPU disagree: ${printNumber(clockUs / 1000, 0)} ms by the CPU clock, ${printNumber(ticksUs / 1000, 0)} ms by the kernel’s ticks.`,
        ]),
  ];
}
