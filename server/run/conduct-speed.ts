import { randomInt } from 'node:crypto';
import type { Environment } from '../../shared/environment.ts';
import type { LabStep } from '../../shared/lab-progress.ts';
import { type Problem, ProblemError } from '../../shared/problem.ts';
import type { SpeedOutcome, SpeedRequest } from '../../shared/speed.ts';
import { planSpeed, type SpeedPlan } from '../plan/speed/plan-speed.ts';
import { cancelled } from './lab/cancelled.ts';
import { measureSpeed, type SpeedBench } from './speed/measure-speed.ts';
import { speedCommand } from './speed/speed-command.ts';
import { SpeedNotes } from './speed/speed-notes.ts';
import { SpeedProgress } from './speed/speed-progress.ts';

export type SpeedHouse = {
  environment: Environment;
  /** Cancels: what was measured is kept. */
  signal: AbortSignal;
  tell(step: LabStep): void;
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
  const ended = await measureAll(plan, { openssl: request.openssl, seed }, notes, house);
  return {
    kind: 'speed',
    state: ended.state,
    startedAt,
    endedAt: Date.now(),
    seed,
    problem: ended.problem,
    environment: house.environment,
    command: speedCommand(request, seed),
    request,
    ...notes.summarise({ node: house.environment.openssl }),
  };
}

type Ended = { state: 'finished' | 'incomplete' | 'interrupted' | 'failed'; problem: Problem | null };

async function measureAll(
  plan: SpeedPlan,
  choice: { openssl: boolean; seed: number },
  notes: SpeedNotes,
  { signal, tell }: SpeedHouse,
): Promise<Ended> {
  const bench: SpeedBench = {};
  // What is asked of them is answered with an error at once.
  const stop = () => Promise.all(Object.values(bench).map((each) => each.stop()));
  signal.addEventListener('abort', stop, { once: true });
  try {
    await measureSpeed({ bench, plan, notes, progress: new SpeedProgress(plan, tell), signal }, choice);
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
