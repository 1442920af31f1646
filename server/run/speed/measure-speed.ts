import { findOpenssl, measureWithOpenssl } from '../../lab/speed/openssl-speed.ts';
import { type Provider, type SpeedProcess, startSpeedProcess } from '../../lab/speed/speed-process.ts';
import {
  planSpeedRounds,
  type SpeedPlan,
  type SpeedTask,
  type SpeedVisit,
} from '../../plan/speed/plan-speed.ts';
import type { SpeedNotes } from './speed-notes.ts';
import type { SpeedProgress } from './speed-progress.ts';

/** The processes that have been started, by what they load. */
export type SpeedBench = Partial<Record<Provider, SpeedProcess>>;

type House = {
  bench: SpeedBench;
  plan: SpeedPlan;
  notes: SpeedNotes;
  progress: SpeedProgress;
  signal: AbortSignal;
};

/** Warms every task up, then measures all of them in every round, each by this runtime and by `openssl speed` in turn. */
export async function measureSpeed(
  house: House,
  { openssl, seed }: { openssl: boolean; seed: number },
): Promise<void> {
  const { plan, notes, progress, signal } = house;
  notes.opensslProgram = openssl ? await findOpenssl() : null;
  progress.enter('preparing', plan.tasks.length);
  for (const task of plan.tasks) {
    signal.throwIfAborted();
    await prepare(task, house);
    progress.advance();
  }
  const rounds = planSpeedRounds(plan, notes.opensslProgram !== null, seed);
  progress.enter('measuring', rounds[0]?.length ?? 0);
  for (const [round, visits] of rounds.entries()) {
    for (const each of visits) {
      signal.throwIfAborted();
      await visit(each, round, house);
      progress.advance();
    }
    notes.roundsDone++;
    progress.endRound();
  }
}

async function prepare(task: SpeedTask, { bench, notes }: House): Promise<void> {
  if (!notes.isUsable(task)) return;
  const process = await processFor(task, bench);
  const preparation = await process.prepare(task.primitive.name, task.bytes);
  if (preparation.refused !== null) notes.refuse(task, preparation.refused);
  else if (preparation.emptyCallUs !== null) notes.noteEmptyCall(task, preparation.emptyCallUs);
}

async function visit({ task, by }: SpeedVisit, round: number, house: House): Promise<void> {
  const { plan, notes, signal, progress } = house;
  if (!notes.isUsable(task)) return;
  if (by === 'node') {
    const process = await processFor(task, house.bench);
    const timed = await process.measure(task.primitive.name, task.bytes, plan.sliceMs);
    notes.add(task, 'node', round, timed);
    progress.tellTask(task, timed);
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

async function processFor({ primitive }: SpeedTask, bench: SpeedBench): Promise<SpeedProcess> {
  const provider = primitive.legacy ? 'legacy' : 'default';
  bench[provider] ??= await startSpeedProcess(provider);
  return bench[provider];
}
