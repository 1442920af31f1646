import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  Ends,
  HandshakeCell,
  HandshakesFacts,
  HandshakesRequest,
  Samples,
  Turn,
} from '../../../shared/kinds/handshakes/handshakes.ts';
import type { CellsEvent, MeasuringPhase } from '../../../shared/measurement/measurement.ts';
import { answerProblem } from '../../base/process/asked-process.ts';
import { type LabProcess, startLabProcess } from '../../drive/lab/handshake-lab.ts';
import { median, medianInterval } from '../../method/statistics/intervals.ts';
import type { Task, Watch } from '../kind.ts';
import { CellsTeller, Progress, withProcesses } from '../progress.ts';
import { type CellNotes, HandshakesNotes, planRounds, type Visit } from './handshakes-notes.ts';
import {
  expectedCostUs,
  fitConnections,
  type HandshakesPlan,
  handshakePhases,
  planHandshakes,
} from './handshakes-plan.ts';

/** Most that is lost when the server dies. Summing up more often would be work beside the measurement. */
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
    const reason = await answerProblem(async () => {
      cell.prepared = await lab.prepare(cell.cell);
    });
    if (reason !== null) cell.ended = { status: 'not-negotiated', reason };
    progress.advance();
  }
  progress.enter('warm-up');
  for (const cell of [notes.baseline, ...notes.cells]) {
    signal.throwIfAborted();
    if (cell.isUsable) {
      const reason = await answerProblem(async () => {
        progress.learn(cell.cell, meanOf((await lab.visit(cell.cell, warmUps)).wallUs));
      });
      if (reason !== null) cell.ended = { status: 'failed', reason };
    }
    progress.advance();
  }
  const { prepared, cell } = notes.baseline;
  for (const { bytes } of notes.plain) {
    if (prepared !== null) await answerProblem(() => lab.visit({ ...cell, bytes }, warmUps, prepared.turns));
  }
}

/** Mean of the time on the clock, which a budget limits. */
function meanOf(us: Float64Array): number {
  return us.reduce((sum, each) => sum + each, 0) / us.length;
}

/** Connections before those that count, and those. */
const warmUps = 10;
const connections = 60;

/** Every cell again with the server in one process and the client in another, so that each one's CPU time is its own. */
export async function measureEnds(
  server: LabProcess,
  client: LabProcess,
  notes: HandshakesNotes,
  progress: GridProgress,
  signal: AbortSignal,
): Promise<void> {
  progress.enter('ends apart');
  const directory = await mkdtemp(join(tmpdir(), 'tls-toll-lab-'));
  let sockets = 0;
  try {
    for (const each of [notes.baseline, ...notes.cells]) {
      signal.throwIfAborted();
      if (each.isUsable) {
        await measureCell(each, each.cell);
      }
      progress.advance();
    }
    for (const each of notes.plain) {
      signal.throwIfAborted();
      const { prepared, cell } = notes.baseline;
      if (prepared !== null) await measureCell(each, { ...cell, bytes: each.bytes }, prepared.turns);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }

  async function measureCell(of: { ends: Ends | null }, cell: HandshakeCell, turns?: Turn[]): Promise<void> {
    const path = join(directory, `${++sockets}`);
    const reason = await answerProblem(async () => {
      await server.listen(cell, path, turns);
      await client.meet(cell, path, warmUps, turns);
      await server.count();
      const { cpuUs } = await client.dial(cell, path, connections, turns);
      const answered = await server.count();
      const [clientCpuUs, serverCpuUs] = [cpuUs, answered].map((each) => medianInterval([...each]));
      if (clientCpuUs != null && serverCpuUs != null) of.ends = { connections, clientCpuUs, serverCpuUs };
    });
    if (reason !== null) notes.warn(`Client and server could not be measured separately: ${reason}.`);
  }
}

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
  const reason = await answerProblem(async () => {
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
    const reason = await answerProblem(async () => {
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

/** How far a grid is, by what its cells cost: as expected, and as measured once they were warmed up. */
export class GridProgress extends Progress<MeasuringPhase> {
  readonly #costs: Map<string, number>;
  readonly #cells: CellsTeller;
  readonly #known: { visits: number };

  constructor(plan: HandshakesPlan, tell: (event: CellsEvent) => void) {
    const costs = new Map<string, number>();
    const known = { visits: 0 };
    const costOf = (cell: HandshakeCell) => costs.get(cell.id) ?? expectedCostUs(cell);
    const phases = () => handshakePhases(plan, costOf, known.visits);
    super({ phases, counts: { round: 'round', step: 'combination' } }, tell);
    this.#costs = costs;
    this.#known = known;
    this.#cells = new CellsTeller(tell);
  }

  /** @param visits of a round */
  enterRounds(visits: number): void {
    this.#known.visits = visits;
    this.enter('measuring');
  }

  /** Notes the cost of a cell's connection on this machine. */
  learn({ id }: HandshakeCell, costUs: number): void {
    this.#costs.set(id, costUs);
  }

  costOf(cell: HandshakeCell): number {
    return this.#costs.get(cell.id) ?? expectedCostUs(cell);
  }

  tellCell({ cell, typicalUs }: CellNotes): void {
    this.#cells.note(cell.id, median(typicalUs));
  }
}
