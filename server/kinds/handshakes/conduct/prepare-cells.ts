import { problemOf } from '../../../base/process/problem-of.ts';
import type { LabProcess } from '../../../drive/handshakes/lab-process.ts';
import type { HandshakesNotes } from '../analyse/handshakes-notes.ts';
import type { HandshakesPlan } from '../plan/plan-handshakes.ts';
import type { GridProgress } from './grid-progress.ts';

/**
 * Makes keys and contexts, finds out what the library negotiates, and warms every cell up. What it takes in the warm-up
 * tells how long the rounds will.
 */
export async function prepareCells(
  lab: LabProcess,
  { warmUps }: HandshakesPlan,
  notes: HandshakesNotes,
  progress: GridProgress,
  signal: AbortSignal,
): Promise<void> {
  progress.enter('preparing');
  for (const cell of [notes.baseline, ...notes.cells]) {
    signal.throwIfAborted();
    const reason = await problemOf(async () => {
      cell.prepared = await lab.prepare(cell.cell);
    });
    if (reason !== null) cell.ended = { status: 'not-negotiated', reason };
    progress.advance();
  }
  progress.enter('warm-up');
  for (const cell of [notes.baseline, ...notes.cells]) {
    signal.throwIfAborted();
    if (cell.isUsable) {
      const reason = await problemOf(async () => {
        progress.learn(cell.cell, meanOf((await lab.visit(cell.cell, warmUps)).wallUs));
      });
      if (reason !== null) cell.ended = { status: 'failed', reason };
    }
    progress.advance();
  }
  const { prepared, cell } = notes.baseline;
  for (const { bytes } of notes.plain) {
    if (prepared !== null) await problemOf(() => lab.visit({ ...cell, bytes }, warmUps, prepared.turns));
  }
}

/** Of the time on the clock, which is what a budget is of. */
function meanOf(us: Float64Array): number {
  return us.reduce((sum, each) => sum + each, 0) / us.length;
}
