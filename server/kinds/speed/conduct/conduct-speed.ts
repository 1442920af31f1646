import type { SpeedFacts, SpeedRequest } from '../../../../shared/kinds/speed/speed.ts';
import type { Task, Watch } from '../../kind.ts';
import { withProcesses } from '../../with-processes.ts';
import { SpeedNotes } from '../analyse/speed-notes.ts';
import { planSpeed } from '../plan/plan-speed.ts';
import { measureSpeed } from './measure-speed.ts';

/**
 * The speed table from its plan to its figures. Rejects with `lab_impossible` when nothing could be measured. No process
 * is left behind, and what was measured is kept however it ends.
 */
export async function conductSpeed(
  { request: { openssl, ...request }, facts: { seed } }: Task<SpeedRequest, SpeedFacts>,
  { signal, tell, keep }: Watch<SpeedFacts, never>,
): Promise<void> {
  const plan = planSpeed({ openssl, ...request });
  const notes = new SpeedNotes(plan);
  const keepNotes = () => keep({ facts: { seed, ...notes.summarise({ node: process.versions.openssl }) } });
  try {
    await withProcesses(signal, (start) =>
      measureSpeed({ start, plan, notes, tell, signal, afterRound: keepNotes }, { openssl, seed }),
    );
  } finally {
    await keepNotes();
  }
}
