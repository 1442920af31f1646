import { randomInt } from 'node:crypto';
import type { Environment } from '../../../../shared/environment.ts';
import type { HandshakesOutcome, HandshakesRequest } from '../../../../shared/lab.ts';
import type { LabStep } from '../../../../shared/lab-progress.ts';
import { ProblemError } from '../../../../shared/problem.ts';
import { type LabProcess, startLabProcess } from '../../../lab/lab-process.ts';
import { cancelled, type Ended, interrupted } from '../../../measurement/ended.ts';
import { LabNotes } from '../analyse/lab-notes.ts';
import { labCommand } from '../plan/lab-command.ts';
import { type HandshakesPlan, planHandshakes } from '../plan/plan-handshakes.ts';
import { LabProgress } from './lab-progress.ts';
import { measureEnds } from './measure-ends.ts';
import { measureRounds } from './measure-rounds.ts';
import { prepareCells } from './prepare-cells.ts';

export type LabHouse = {
  environment: Environment;
  /** Cancels: what was measured is kept. */
  signal: AbortSignal;
  tell(step: LabStep): void;
  /** Told every few seconds, between rounds and after the last, what there is until then, as it would stand if nothing more came. */
  keep?(soFar: HandshakesOutcome): void;
};

/**
 * A handshake grid from its plan to its figures. What goes wrong on the way, or a cancellation, is the outcome's problem,
 * and what was measured before is in it. Throws `lab_impossible` when nothing could be. No process is left behind.
 */
export async function conductLab(request: HandshakesRequest, house: LabHouse): Promise<HandshakesOutcome> {
  const plan = planHandshakes(request);
  const seed = request.seed ?? randomInt(2 ** 31);
  const startedAt = Date.now();
  const notes = new LabNotes(plan);
  const outcomeOf = ({ state, problem }: Ended): HandshakesOutcome => ({
    kind: 'handshakes',
    state,
    startedAt,
    endedAt: Date.now(),
    seed,
    problem,
    environment: house.environment,
    command: labCommand(request, seed),
    request,
    ...notes.summarise(),
  });
  let keptAt = startedAt;
  const afterRound = () => {
    if (notes.roundsDone < plan.rounds && Date.now() - keptAt < keepEveryMs) return;
    keptAt = Date.now();
    house.keep?.(outcomeOf(interrupted()));
  };
  return outcomeOf(await measureAll(plan, seed, notes, house, afterRound));
}

/** So much is lost at most when the server dies; summing up more often would be work beside the measurement. */
const keepEveryMs = 5000;

async function measureAll(
  plan: HandshakesPlan,
  seed: number,
  notes: LabNotes,
  { signal, tell }: LabHouse,
  afterRound: () => void,
): Promise<Ended> {
  const processes: LabProcess[] = [];
  // What is asked of them is answered with an error at once.
  const stop = () => Promise.all(processes.map((each) => each.stop()));
  signal.addEventListener('abort', stop, { once: true });
  try {
    const progress = new LabProgress(plan, tell);
    const lab = await started(processes);
    await prepareCells(lab, plan, notes, progress, signal);
    await measureRounds(lab, plan, seed, notes, progress, signal, afterRound);
    await measureEnds(lab, await started(processes), notes, progress, signal);
    progress.end();
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

async function started(processes: LabProcess[]): Promise<LabProcess> {
  const process = await startLabProcess();
  processes.push(process);
  return process;
}
