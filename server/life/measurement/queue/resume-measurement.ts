import { problem } from '../../../../shared/base/problem.ts';
import type { MeasurementSummary } from '../../../../shared/measurement/measurement-summary.ts';
import { type Asker, thisMachine } from '../../../../shared/team/audit.ts';
import { findLabels } from '../../database/assignments.ts';
import { findMeasurement, reopenMeasurement } from '../../database/measurements.ts';
import type { Given } from '../given.ts';
import { addressOf } from '../list/address-of.ts';
import { findKnown } from '../list/find-known.ts';

/** Queues one again that ended early; it goes on where it was. Throws not_resumable. */
export async function resumeMeasurement<House>(
  { database, stopSwitch, lives, dispatch, summaries, kindOf, noteLoad }: Given<House>,
  id: string,
  by: Asker = thisMachine,
): Promise<MeasurementSummary> {
  const stopped = stopSwitch.signal();
  const { kind: name, state, request } = await findKnown(database, id, () => findMeasurement(database, id));
  const kind = kindOf(name);
  if (kind.resumable !== true) {
    throw problem('not_resumable', 'This kind of measurement always starts over.');
  }
  const labels = await findLabels(database, id);
  await dispatch.demandRoom([labels]);
  const enroll = dispatch.enroll(id, labels, false);
  // One whose end waits to be stored is not over yet.
  if (lives.of(id) !== undefined || !(await reopenMeasurement(database, id, enroll, by.userId))) {
    throw problem('not_resumable', `It is ${state}. Only a measurement that ended early can be resumed.`);
  }
  await noteLoad(by, 'launched', request, addressOf(kind, id)).catch((error: unknown) => {
    dispatch.withdraw(id);
    throw error;
  });
  await dispatch.beginAgain(id, stopped);
  const life = lives.of(id);
  return life === undefined ? summaries.storedSummary(id) : summaries.liveSummary(life.line());
}
