import { problem } from '../../../../shared/base/problem.ts';
import { type SpeedRequest, speedSizes } from '../../../../shared/kinds/speed/speed.ts';
import type { MeasuringPhase } from '../../../../shared/measurement/cells-progress.ts';
import type { Phase } from '../../../../shared/measurement/estimate-progress.ts';
import { drawsOf, shuffle } from '../../../method/statistics/random.ts';
import { choosePrimitives } from './choose-primitives.ts';
import type { Primitive } from './primitives.ts';
import type { Sum } from './sums.ts';

/** What is measured in one go: all operations of a primitive, at one size where it has sizes. */
export type SpeedTask = { primitive: Primitive; bytes: number | null };

export type SpeedPlan = {
  primitives: Primitive[];
  sums: Sum[];
  tasks: SpeedTask[];
  rounds: number;
  /** CPU time of one operation in one round. */
  sliceMs: number;
  opensslSliceMs: number;
  expectedS: number;
};

/** A signed-rank interval of eight rounds is nearly their whole range; of sixteen it leaves what disturbed a few of them out. */
const rounds = 16;

/** `openssl speed` gets the longer slice: its clock is the coarser one. */
const opensslShare = 3;
const longestMs = 40;
const shortestMs = 3;
/** Starting a process and hearing of its end. */
const startMs = 12;

/** Throws `lab_impossible`: an unknown name, or less time than the shortest slices take. */
export function planSpeed(request: SpeedRequest): SpeedPlan {
  const { primitives, sums } = choosePrimitives(request.names);
  const tasks = primitives.flatMap(tasksOf);
  const operations = tasks.reduce((count, { primitive }) => count + primitive.operations.length, 0);
  const perMs = rounds * operations * (request.openssl ? 1 + opensslShare : 1);
  const fixedMs = rounds * tasks.length * (request.openssl ? startMs : 0);
  const budgetMs = 1000 * (request.seconds ?? usualSeconds);
  const sliceMs = Math.min(longestMs, (budgetMs - fixedMs) / perMs);
  if (sliceMs < shortestMs) {
    const leastS = Math.ceil((fixedMs + shortestMs * perMs) / 1000);
    const fact = `${tasks.length} measurements take at least ${leastS} s. Allow more time or choose fewer primitives.`;
    throw problem('lab_impossible', { detail: fact, errors: [{ field: 'seconds', message: fact }] });
  }
  return {
    primitives,
    sums,
    tasks,
    rounds,
    sliceMs,
    opensslSliceMs: request.openssl ? opensslShare * sliceMs : 0,
    expectedS: (fixedMs + sliceMs * perMs) / 1000,
  };
}

const usualSeconds = 150;

function tasksOf(primitive: Primitive): SpeedTask[] {
  return primitive.sized ? speedSizes.map((bytes) => ({ primitive, bytes })) : [{ primitive, bytes: null }];
}

/** To make keys and warm up, for each task. */
const prepareS = 0.04;

/** @param visits of a round */
export function speedPhases(
  { tasks, rounds, expectedS }: SpeedPlan,
  visits: number,
): Phase<MeasuringPhase>[] {
  return [
    { name: 'preparing', seconds: prepareS * tasks.length, steps: tasks.length },
    { name: 'measuring', seconds: expectedS, steps: visits, rounds },
  ];
}

export type SpeedVisit = { task: SpeedTask; by: 'node' | 'openssl' };

/** Every round measures every task once, in a drawn order; of the two that measure it, which is first is drawn as well. */
export function planSpeedRounds(
  { tasks, rounds }: SpeedPlan,
  openssl: boolean,
  seed: number,
): SpeedVisit[][] {
  const draw = drawsOf(seed);
  const programs: SpeedVisit['by'][] = openssl ? ['node', 'openssl'] : ['node'];
  return Array.from({ length: rounds }, () =>
    shuffle(tasks, draw).flatMap((task) => shuffle(programs, draw).map((by) => ({ task, by }))),
  );
}
