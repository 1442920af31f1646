import { type ProblemError, problem } from '../../../../shared/base/problem.ts';
import type { Figures } from '../../../../shared/measurement/history-view.ts';
import { isOver, type MeasurementState } from '../../../../shared/measurement/measurement.ts';
import type { AnyDocument, AnyKind } from '../../../kinds/kind.ts';
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
  const endedAt = live.frame.endedAt ?? live.now();
  live.change({ state, endedAt, problem: mask(why?.problem ?? null) });
  const last = lastDocument(life);
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
  live.change({ state: 'incomplete', endedAt: live.now() });
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

/**
 * Its document, which everyone can read. What was measured and cannot be summed up, or not be read again, costs the blocks, and if need
 * be the facts, never the end.
 */
function lastDocument<House>({ kind, mask, live, onError }: OneLife<House>): AnyDocument {
  const less = [{ facts: live.facts(), blocks: [] }, live.begun];
  for (const kept of [live.kept(), ...less]) {
    try {
      const document = kind.documentOf(live.frame, kept);
      demandReadable(kind, document);
      return document;
    } catch (error) {
      onError(error);
      const { state, problem } = endOf(error);
      live.change({ state, problem: mask(problem.problem) });
    }
  }
  return kind.documentOf(live.frame, live.begun);
}

/** Numbers that are none become null in JSON. Throws internal. */
function demandReadable<House>({ documentSchema }: AnyKind<House>, document: AnyDocument): void {
  const { error } = documentSchema.safeParse(JSON.parse(JSON.stringify(document)));
  if (error === undefined) return;
  const [{ path } = { path: [] }] = error.issues;
  const part = path.map(String).join('.').slice(0, 200);
  throw problem('internal', `The result is not valid: its part “${part}” has no proper value.`, {
    cause: error,
  });
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
