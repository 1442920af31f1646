import type { ProblemError } from '../../../../shared/base/problem.ts';
import type { Figures } from '../../../../shared/measurement/history-view.ts';
import { isOver, type MeasurementState } from '../../../../shared/measurement/measurement.ts';
import type { AnyDocument } from '../../../kinds/kind.ts';
import { buryMeasurement, findState, storeEnding } from '../../database/measurements.ts';
import type { OneLife } from '../run/life-parts.ts';
import { withPatience } from '../run/with-patience.ts';
import { endOf } from './end-of.ts';

/** Makes its last document, stores it as soon as the store takes it, and tells whoever watches. */
export async function endLife<House>(
  life: OneLife<House>,
  state: MeasurementState,
  why: ProblemError | null,
): Promise<void> {
  const { id, kind, mask, claim, live, database, log, onOver } = life;
  const patience = { signal: life.lastCall, onProblem: life.onProblem };
  const endedAt = live.frame.endedAt ?? Date.now();
  live.change({ state, endedAt, problem: mask(why?.problem ?? null) });
  const last = documentOrNone(life);
  live.settle(last);
  const ending = {
    state: last.state,
    endedAt,
    problem: last.problem,
    summary: kind.summaryOf(last),
    schemaVersion: kind.documentVersion,
    text: live.text(),
    figures: figuresOrNone(life, last),
  };
  await withPatience(async () => {
    await claim.take();
    await storeEnding(database, claim.current(), ending);
  }, patience);
  onOver();
  log.append(claim.current(), { type: 'end', state: last.state });
  await withPatience(() => log.flush(id), patience);
}

/** Leaves a tombstone instead of a document. */
export async function buryLife<House>(life: OneLife<House>): Promise<void> {
  const { id, claim, live, database, log, lastCall, onProblem, onOver } = life;
  live.change({ state: 'incomplete', endedAt: Date.now() });
  await withPatience(() => buryMeasurement(database, id, Date.now()), { signal: lastCall, onProblem });
  onOver();
  log.append(claim.current(), { type: 'end', state: 'incomplete' });
}

/** Another process has it, or had: what the store says of it counts. Whoever watches one that goes on asks again. */
export async function loseLife<House>({ id, claim, database, log, onOver }: OneLife<House>): Promise<void> {
  const found = await findState(database, id).catch(() => null);
  onOver();
  if (found !== null && !isOver(found.state)) return;
  log.append(claim.current(), { type: 'end', state: found?.state ?? 'interrupted' });
}

/** What was measured and cannot be summed up costs the blocks, never the end. */
function documentOrNone<House>({ kind, mask, live, onError }: OneLife<House>): AnyDocument {
  try {
    return live.document();
  } catch (error) {
    onError(error);
    const { state, problem } = endOf(error);
    live.change({ state, problem: mask(problem.problem) });
    return kind.documentOf(live.frame, { facts: live.facts(), blocks: [] });
  }
}

/** Rows that cannot be made cost the history, never the end. */
function figuresOrNone<House>({ kind, onError }: OneLife<House>, last: AnyDocument): Figures | null {
  try {
    return kind.figuresOf?.(last) ?? null;
  } catch (error) {
    onError(error);
    return null;
  }
}
