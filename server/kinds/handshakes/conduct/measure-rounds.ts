import type { Samples } from '../../../../shared/kinds/handshakes/handshake-samples.ts';
import { problemOf } from '../../../base/process/problem-of.ts';
import type { LabProcess } from '../../../drive/handshakes/lab-process.ts';
import type { CellNotes } from '../analyse/cell-notes.ts';
import type { HandshakesNotes } from '../analyse/handshakes-notes.ts';
import { fitConnections, type HandshakesPlan } from '../plan/plan-handshakes.ts';
import { planRounds, type Visit } from '../plan/plan-rounds.ts';
import type { GridProgress } from './grid-progress.ts';

/** Every round visits every cell that can be, with the baseline in between, and the streams without TLS. */
export async function measureRounds(
  lab: LabProcess,
  plan: HandshakesPlan,
  seed: number,
  notes: HandshakesNotes,
  progress: GridProgress,
  signal: AbortSignal,
  afterRound: () => Promise<void>,
): Promise<void> {
  const cells = notes.cells.filter(({ isUsable }) => isUsable);
  const connections = fitConnections(
    plan,
    cells.map(({ cell }) => progress.costOf(cell)),
  );
  const rounds = planRounds(pairsOf(cells), connections, { rounds: plan.rounds, seed });
  progress.enterRounds(rounds[0]?.length ?? 0);
  for (const visits of rounds) {
    await measureRound(visits);
    await measurePlain(lab, plan, notes, signal);
    notes.roundsDone++;
    progress.endRound();
    await afterRound();
  }

  async function measureRound(visits: readonly Visit[]): Promise<void> {
    const open: { notes: CellNotes; typical: number }[] = [];
    let before: number | null = null;
    for (const visit of visits) {
      signal.throwIfAborted();
      const of = cellOf(visit, notes, cells);
      const samples = of.isUsable && visit.connections > 0 ? await visited(lab, of, visit.connections) : null;
      if (samples !== null) {
        const typical = of.add(samples);
        if (visit.cell !== 'baseline') open.push({ notes: of, typical });
        else {
          const around = before === null ? [typical] : [before, typical];
          for (const { notes: each, typical: own } of open.splice(0))
            each.pairs.push({ a: around, b: [own] });
          before = typical;
        }
        progress.tellCell(of);
      }
      progress.advance();
    }
  }
}

async function visited(lab: LabProcess, cell: CellNotes, connections: number): Promise<Samples | null> {
  let samples: Samples | null = null;
  const reason = await problemOf(async () => {
    samples = await lab.visit(cell.cell, connections);
  });
  if (reason !== null) cell.ended = { status: 'failed', reason };
  return samples;
}

async function measurePlain(
  lab: LabProcess,
  { rounds, connections }: HandshakesPlan,
  notes: HandshakesNotes,
  signal: AbortSignal,
): Promise<void> {
  const { cell, prepared } = notes.baseline;
  if (prepared === null) return;
  for (const { bytes, visits } of notes.plain) {
    signal.throwIfAborted();
    const each = Math.min(40, Math.ceil(connections / rounds));
    const reason = await problemOf(async () => {
      visits.push(await lab.visit({ ...cell, bytes }, each, prepared.turns));
    });
    if (reason !== null) notes.warn(`The streams without TLS could not be measured: ${reason}.`);
  }
}

function cellOf({ cell }: Visit, { baseline }: HandshakesNotes, cells: readonly CellNotes[]): CellNotes {
  return cell === 'baseline' ? baseline : (cells[cell] as CellNotes);
}

/** Cells that differ in resumption alone. */
function pairsOf(cells: readonly CellNotes[]): number[][] {
  const pairs = Map.groupBy(cells.keys(), (index) => {
    const { id, resumption } = (cells[index] as CellNotes).cell;
    return id.slice(0, -resumption.length);
  });
  return [...pairs.values()];
}
