import type { HandshakesFacts, HandshakesRequest } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { startLabProcess } from '../../../drive/handshakes/lab-process.ts';
import type { Task, Watch } from '../../kind.ts';
import { withProcesses } from '../../with-processes.ts';
import { HandshakesNotes } from '../analyse/handshakes-notes.ts';
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
  const notes = new HandshakesNotes(plan);
  const keepNotes = () => keep({ facts: { seed, ...notes.summarise() } });
  let keptAt = performance.now();
  const afterRound = async () => {
    if (performance.now() - keptAt < keepEveryMs) return;
    keptAt = performance.now();
    await keepNotes();
  };
  try {
    await withProcesses(signal, async (start) => {
      const progress = new GridProgress(plan, tell);
      const lab = await start(startLabProcess());
      await progress.during(async () => {
        await prepareCells(lab, plan, notes, progress, signal);
        await measureRounds(lab, plan, seed, notes, progress, signal, afterRound);
        await measureEnds(lab, await start(startLabProcess()), notes, progress, signal);
        progress.tell();
      });
    });
  } finally {
    await keepNotes();
  }
}
