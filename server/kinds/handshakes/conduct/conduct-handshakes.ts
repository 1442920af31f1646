import type { HandshakesFacts, HandshakesRequest } from '../../../../shared/kinds/lab/lab.ts';
import { type LabProcess, startLabProcess } from '../../../drive/lab/lab-process.ts';
import type { Task, Watch } from '../../kind.ts';
import { LabNotes } from '../analyse/lab-notes.ts';
import { planHandshakes } from '../plan/plan-handshakes.ts';
import { GridProgress } from './grid-progress.ts';
import { measureEnds } from './measure-ends.ts';
import { measureRounds } from './measure-rounds.ts';
import { prepareCells } from './prepare-cells.ts';

/** So much is lost at most when the server dies; summing up more often would be work beside the measurement. */
const keepEveryMs = 5000;

/**
 * A handshake grid from its plan to its figures. Rejects with `lab_impossible` when nothing could be measured. No process
 * is left behind, and what was measured is kept however it ends.
 */
export async function conductHandshakes(
  { request, facts: { seed } }: Task<HandshakesRequest, HandshakesFacts>,
  { signal, tell, keep }: Watch<HandshakesFacts, never>,
): Promise<void> {
  const plan = planHandshakes(request);
  const notes = new LabNotes(plan);
  const keepNotes = () => keep({ facts: { seed, ...notes.summarise() } });
  let keptAt = performance.now();
  const afterRound = async () => {
    if (performance.now() - keptAt < keepEveryMs) return;
    keptAt = performance.now();
    await keepNotes();
  };
  const processes: LabProcess[] = [];
  const start = async () => {
    const process = await startLabProcess();
    processes.push(process);
    return process;
  };
  // What is asked of them is answered with an error at once.
  const stop = () => Promise.all(processes.map((each) => each.stop()));
  signal.addEventListener('abort', stop, { once: true });
  try {
    const progress = new GridProgress(plan, tell);
    const lab = await start();
    await prepareCells(lab, plan, notes, progress, signal);
    await measureRounds(lab, plan, seed, notes, progress, signal, afterRound);
    await measureEnds(lab, await start(), notes, progress, signal);
    progress.tell();
  } finally {
    signal.removeEventListener('abort', stop);
    await stop();
    await keepNotes();
  }
}
