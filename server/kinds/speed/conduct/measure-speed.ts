import { refusalOf } from '../../../base/process/refusal-of.ts';
import { findOpenssl, measureWithOpenssl } from '../../../drive/lab/speed/openssl-speed.ts';
import {
  type Provider,
  type SpeedProcess,
  startSpeedProcess,
} from '../../../drive/lab/speed/speed-process.ts';
import type { SpeedNotes } from '../analyse/speed-notes.ts';
import { planSpeedRounds, type SpeedPlan, type SpeedTask, type SpeedVisit } from '../plan/plan-speed.ts';
import type { SpeedProgress } from './speed-progress.ts';

/** The processes that have been started, by what they load. */
export type SpeedBench = Partial<Record<Provider, SpeedProcess>>;

type House = {
  bench: SpeedBench;
  plan: SpeedPlan;
  notes: SpeedNotes;
  progress: SpeedProgress;
  signal: AbortSignal;
  afterRound: () => Promise<void>;
};

/** Warms every task up, then measures all of them in every round, each by this runtime and by `openssl speed` in turn. */
export async function measureSpeed(
  house: House,
  { openssl, seed }: { openssl: boolean; seed: number },
): Promise<void> {
  const { plan, notes, progress, signal, afterRound } = house;
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
    await afterRound();
  }
}

async function prepare(task: SpeedTask, { bench, notes }: House): Promise<void> {
  if (!notes.isUsable(task)) return;
  const process = await processFor(task, bench);
  const reason = await refusalOf(async () => {
    const emptyCallUs = await process.prepare(task.primitive.name, task.bytes);
    if (emptyCallUs !== null) notes.noteEmptyCall(task, emptyCallUs);
  });
  if (reason !== null) notes.refuse(task, reason);
}

async function visit({ task, by }: SpeedVisit, round: number, house: House): Promise<void> {
  const { plan, notes, signal, progress } = house;
  if (!notes.isUsable(task)) return;
  if (by === 'node') {
    const process = await processFor(task, house.bench);
    const reason = await refusalOf(async () => {
      const timed = await process.measure(task.primitive.name, task.bytes, plan.sliceMs);
      notes.add(task, 'node', round, timed);
      progress.tellTask(task, timed);
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

async function processFor({ primitive }: SpeedTask, bench: SpeedBench): Promise<SpeedProcess> {
  const provider = primitive.legacy ? 'legacy' : 'default';
  bench[provider] ??= await startSpeedProcess(provider);
  return bench[provider];
}
