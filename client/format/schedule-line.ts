import { capitalized } from '../../shared/base/cut.ts';
import { printLabels } from '../../shared/measurement/runner-labels.ts';
import { printRhythm, type Schedule } from '../../shared/results/schedule.ts';
import type { Look } from './looks.ts';
import { printCount, printWhen } from './printed-figures.ts';

/** `Every night at 02:30 (Europe/Berlin)`. */
export function rhythmInWords({ rhythm }: Pick<Schedule, 'rhythm'>): string {
  const words = printRhythm(rhythm);
  return capitalized(words);
}

/** When it measures, how often it has, when it ends, and where. */
export function scheduleDetails(schedule: Schedule): string[] {
  const { nextAt, measured, times, lastDay, labels } = schedule;
  const runner = printLabels(labels);
  return [
    rhythmInWords(schedule),
    ...(nextAt === null ? [] : [`next ${printWhen(nextAt)}`]),
    measuredInWords(measured, times),
    ...(lastDay === null ? [] : [`until ${lastDay}`]),
    ...(runner === '' ? [] : [`on a runner with ${runner}`]),
  ];
}

function measuredInWords(measured: number, times: number | null): string {
  if (times !== null) return `measured ${measured} of ${times} times`;
  return measured === 0 ? 'not measured yet' : `measured ${printCount(measured, 'time')}`;
}

/** Why the last time was not measured; null if it was, and before the first. */
export function lastProblem({ last }: Schedule): string | null {
  if (last === null || last.problem === null) return null;
  return `Not measured on ${printWhen(last.at)}: ${last.problem.detail}`;
}

export function lookOfSchedule({ state, last }: Schedule): Look {
  if (state === 'paused') return { word: 'Paused', tone: 'quiet', icon: 'minus' };
  if (state === 'ended') return { word: 'Ended', tone: 'quiet', icon: 'check' };
  return last?.problem == null
    ? { word: 'On', tone: 'good', icon: 'check' }
    : { word: 'Skipped last time', tone: 'warn', icon: 'exclamation' };
}
