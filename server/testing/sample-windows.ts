import { byArm, namesOf } from '../../shared/base/arms.ts';
import type { Arm } from '../../shared/base/transport.ts';
import type { OperatingPoint } from '../../shared/kinds/comparison/load-profile.ts';
import type { MeasuredWindow } from '../kinds/comparison/block-ratios.ts';
import { runArms } from '../kinds/comparison/metric-readings.ts';
import { median } from '../method/statistics/intervals.ts';
import { cpuUsAt } from './sample-slot.ts';

/** The windows of a block of the sample run; in one of ten, the hypervisor took most of the machine. */
export function sampleWindows(
  kind: Exclude<OperatingPoint, 'steady'>,
  startedAtMs: number,
  ofLaunch: number,
  random: () => number,
): MeasuredWindow[] {
  const windowMs = kind === 'lockstep' ? 200 : 340;
  return Array.from({ length: kind === 'lockstep' ? 10 : 6 }, (_, index) => {
    const stolen = random() < 0.1 ? 0.9 : 0.01;
    const machine = 1 + stolen / 9 + (random() - 0.5) * 0.1;
    return {
      startedAtMs: startedAtMs + index * (windowMs + 4),
      elapsedMs: windowMs,
      stealRatio: shareOf(stolen + random() * 0.02),
      foreignRatio: shareOf(0.01 + random() * 0.03),
      aside: false,
      ...(kind === 'lockstep'
        ? lockstep(machine, ofLaunch, random)
        : { rounds: 7, arms: bursts(machine, ofLaunch, random) }),
    };
  });
}

/** A share as windows store it. */
const shareOf = (share: number) => Math.round(share * 1e4) / 1e4;

const arms = namesOf(runArms);
const groupsOfWindow = 45;

function lockstep(machine: number, ofLaunch: number, random: () => number) {
  const us = (arm: Arm) => 1450 * costOf(arm, ofLaunch) * machine * noise(random, 0.2);
  const groups = Array.from({ length: groupsOfWindow }, () => byArm(arms, us));
  const of = (arm: Arm) => ({
    transactions: groupsOfWindow,
    cpuUs: Math.round(
      groupsOfWindow * cpuUsAt.lockstep * costOf(arm, ofLaunch) * machine * noise(random, 0.03),
    ),
    medianUs: Math.round(median(groups.map((group) => group[arm]))),
    perS: null,
  });
  return { groups, arms: byArm(arms, of) };
}

function bursts(machine: number, ofLaunch: number, random: () => number): MeasuredWindow['arms'] {
  const of = (arm: Arm) => {
    const perS = (1240 / (arm === 'comparison' ? 1.19 * ofLaunch : 1) / machine) * noise(random, 0.06);
    const transactions = Math.round(perS / 10);
    const cpuUs = Math.round(transactions * cpuUsAt.maximum * costOf(arm, ofLaunch));
    return { transactions, cpuUs, medianUs: null, perS: Number(perS.toPrecision(6)) };
  };
  return byArm(arms, of);
}

function costOf(arm: Arm, ofLaunch: number): number {
  return arm === 'comparison' ? 1.21 * ofLaunch : 1;
}

/** Between 1 − width and 1 + width, crowded in the middle. */
function noise(random: () => number, width: number): number {
  return 1 + (random() + random() - 1) * width;
}
