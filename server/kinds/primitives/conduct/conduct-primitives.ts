import { randomInt } from 'node:crypto';
import type { Environment } from '../../../../shared/environment.ts';
import type { LabStep } from '../../../../shared/lab-progress.ts';
import { ProblemError } from '../../../../shared/problem.ts';
import type { SpeedOutcome, SpeedRequest } from '../../../../shared/speed.ts';
import { cancelled, type Ended, interrupted } from '../../../measurement/ended.ts';
import { SpeedNotes } from '../analyse/speed-notes.ts';
import { planSpeed, type SpeedPlan } from '../plan/plan-speed.ts';
import { speedCommand } from '../plan/speed-command.ts';
import { measureSpeed, type SpeedBench } from './measure-speed.ts';
import { SpeedProgress } from './speed-progress.ts';

export type SpeedHouse = {
  environment: Environment;
  /** Cancels: what was measured is kept. */
  signal: AbortSignal;
  tell(step: LabStep): void;
  /** Told after each round what there is until then, as it would stand if nothing more came. */
  keep?(soFar: SpeedOutcome): void;
};

/**
 * The speed table from its plan to its figures. What goes wrong on the way, or a cancellation, is the outcome's problem,
 * and what was measured before is in it. Throws `lab_impossible` when nothing could be. No process is left behind.
 */
export async function conductSpeed(request: SpeedRequest, house: SpeedHouse): Promise<SpeedOutcome> {
  const plan = planSpeed(request);
  const seed = request.seed ?? randomInt(2 ** 31);
  const startedAt = Date.now();
  const notes = new SpeedNotes(plan);
  const outcomeOf = ({ state, problem }: Ended): SpeedOutcome => ({
    kind: 'speed',
    state,
    startedAt,
    endedAt: Date.now(),
    seed,
    problem,
    environment: house.environment,
    command: speedCommand(request, seed),
    request,
    ...notes.summarise({ node: house.environment.openssl }),
  });
  const afterRound = () => house.keep?.(outcomeOf(interrupted()));
  return outcomeOf(await measureAll(plan, { openssl: request.openssl, seed }, notes, house, afterRound));
}

async function measureAll(
  plan: SpeedPlan,
  choice: { openssl: boolean; seed: number },
  notes: SpeedNotes,
  { signal, tell }: SpeedHouse,
  afterRound: () => void,
): Promise<Ended> {
  const bench: SpeedBench = {};
  // What is asked of them is answered with an error at once.
  const stop = () => Promise.all(Object.values(bench).map((each) => each.stop()));
  signal.addEventListener('abort', stop, { once: true });
  try {
    const progress = new SpeedProgress(plan, tell);
    await measureSpeed({ bench, plan, notes, progress, signal, afterRound }, choice);
    return { state: 'finished', problem: null };
  } catch (error) {
    if (signal.aborted) return cancelled(signal);
    if (!(error instanceof ProblemError)) throw error;
    return { state: 'failed', problem: error.problem };
  } finally {
    signal.removeEventListener('abort', stop);
    await stop();
  }
}
