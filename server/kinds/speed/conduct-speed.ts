import type { SpeedFacts, SpeedRequest } from '../../../shared/kinds/speed/speed.ts';
import type { CellsEvent } from '../../../shared/measurement/measurement.ts';
import { answerProblem } from '../../base/process/asked-process.ts';
import { findOpenssl, measureWithOpenssl } from '../../drive/lab/openssl-speed.ts';
import { type Provider, type SpeedProcess, startSpeedProcess } from '../../drive/lab/speed-lab.ts';
import type { Task, Watch } from '../kind.ts';
import { CellsTeller, Progress, type StartProcess, withProcesses } from '../progress.ts';
import { SpeedNotes } from './speed-notes.ts';
import {
  planSpeed,
  planSpeedRounds,
  rowId,
  type SpeedPlan,
  type SpeedTask,
  type SpeedVisit,
  speedPhases,
} from './speed-plan.ts';

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

type Given = {
  start: StartProcess;
  plan: SpeedPlan;
  notes: SpeedNotes;
  tell: (event: CellsEvent) => void;
  signal: AbortSignal;
  afterRound: () => Promise<void>;
};

/** Warms every task up, then measures all of them in every round, each by this runtime and by `openssl speed` in turn. */
export async function measureSpeed(
  { start, plan, notes, tell, signal, afterRound }: Given,
  { openssl, seed }: { openssl: boolean; seed: number },
): Promise<void> {
  const processFor = openBench(start);
  const house = { plan, notes, signal, processFor };
  notes.opensslProgram = openssl ? await findOpenssl() : null;
  const rounds = planSpeedRounds(plan, notes.opensslProgram !== null, seed);
  const phases = () => speedPhases(plan, rounds[0]?.length ?? 0);
  const progress = new Progress({ phases, counts: { round: 'round', step: 'figure' } }, tell);
  const cells = new CellsTeller(tell);
  await progress.during(async () => {
    progress.enter('preparing');
    for (const task of plan.tasks) {
      signal.throwIfAborted();
      await prepare(task, house);
      progress.advance();
    }
    progress.enter('measuring');
    for (const [round, visits] of rounds.entries()) {
      for (const each of visits) {
        signal.throwIfAborted();
        await visit(each, round, house, cells);
        progress.advance();
      }
      notes.roundsDone++;
      progress.endRound();
      await afterRound();
    }
  });
}

type House = Pick<Given, 'plan' | 'notes' | 'signal'> & { processFor: ReturnType<typeof openBench> };

async function prepare(task: SpeedTask, { processFor, notes }: House): Promise<void> {
  if (!notes.isUsable(task)) return;
  const process = await processFor(task);
  const reason = await answerProblem(async () => {
    const emptyCallUs = await process.prepare(task.primitive.name, task.bytes);
    if (emptyCallUs !== null) notes.noteEmptyCall(task, emptyCallUs);
  });
  if (reason !== null) notes.refuse(task, reason);
}

async function visit(
  { task, by }: SpeedVisit,
  round: number,
  house: House,
  cells: CellsTeller,
): Promise<void> {
  const { plan, notes, signal } = house;
  if (!notes.isUsable(task)) return;
  if (by === 'node') {
    const process = await house.processFor(task);
    const reason = await answerProblem(async () => {
      const timed = await process.measure(task.primitive.name, task.bytes, plan.sliceMs);
      notes.add(task, 'node', round, timed);
      for (const { operation, calls, cpuUs } of timed) {
        cells.note(rowId({ primitive: task.primitive.name, operation, bytes: task.bytes }), cpuUs / calls);
      }
    });
    if (reason !== null) notes.refuse(task, reason);
    return;
  }
  const { primitive, bytes } = task;
  if (primitive.reference === null || !notes.hasReference(task)) return;
  const { timed, complaint } = await measureWithOpenssl({
    reference: primitive.reference,
    operations: primitive.operations,
    bytes,
    sliceMs: plan.opensslSliceMs,
    signal,
  });
  signal.throwIfAborted();
  if (complaint !== null) notes.complain(task, complaint);
  notes.add(task, 'openssl', round, timed);
}

/** One process for each set of algorithms, started when it is first needed. */
function openBench(start: StartProcess) {
  const processes: Partial<Record<Provider, SpeedProcess>> = {};
  return async ({ primitive }: SpeedTask): Promise<SpeedProcess> => {
    const provider = primitive.legacy ? 'legacy' : 'default';
    processes[provider] ??= await start(startSpeedProcess(provider));
    return processes[provider];
  };
}
