import { type LabProcess, Refusal } from '../../lab/lab-process.ts';
import type { HandshakesPlan } from '../../plan/lab/plan-handshakes.ts';
import { type CellNotes, type LabNotes, typicalCpuUs } from './lab-notes.ts';
import type { LabProgress } from './lab-progress.ts';

/**
 * Makes keys and contexts, finds out what the library negotiates, and warms every cell up. What it takes in the warm-up
 * tells how long the rounds will.
 */
export async function prepareCells(
  lab: LabProcess,
  { warmUps }: HandshakesPlan,
  notes: LabNotes,
  progress: LabProgress,
  signal: AbortSignal,
): Promise<void> {
  progress.enter('preparing');
  for (const cell of [notes.baseline, ...notes.cells]) {
    signal.throwIfAborted();
    await attempt(cell, 'not-negotiated', async () => {
      cell.prepared = await lab.prepare(cell.cell);
    });
    progress.advance();
  }
  progress.enter('warm-up');
  for (const cell of [notes.baseline, ...notes.cells]) {
    signal.throwIfAborted();
    if (cell.isUsable) {
      await attempt(cell, 'failed', async () => {
        progress.learn(cell.cell, typicalCpuUs(await lab.visit(cell.cell, warmUps)));
      });
    }
    progress.advance();
  }
  const turns = notes.baseline.prepared?.turns ?? [];
  for (const { bytes } of notes.plain) {
    if (turns.length > 0) await lab.visit({ ...notes.baseline.cell, bytes }, warmUps, turns);
  }
}

/** What the library says against a cell ends that cell alone. */
export async function attempt(
  cell: CellNotes,
  status: 'not-negotiated' | 'failed',
  what: () => Promise<void>,
): Promise<void> {
  try {
    await what();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    cell.ended = { status, reason: error.message };
  }
}
