import type { MeasurementSummary } from '../../../shared/kinds.ts';
import { isOver, type KindName } from '../../../shared/measurement.ts';
import { changesPath } from '../../../shared/result-changes.ts';

/** Results that are ticked, by id: they stay ticked while the list shows others. */
export type Selection = ReadonlyMap<string, MeasurementSummary>;

export function toggle(selection: Selection, summary: MeasurementSummary): Selection {
  const next = new Map(selection);
  if (!next.delete(summary.id)) next.set(summary.id, summary);
  return next;
}

/** The page that compares what is ticked, the older one first; else why there is none, in a sentence. */
export function comparisonOf(selection: Selection): { href: string } | { refusal: string } {
  const [older, newer, ...others] = [...selection.values()].toSorted((a, b) => a.createdAt - b.createdAt);
  if (older === undefined || newer === undefined || others.length > 0 || older.kind !== newer.kind) {
    return { refusal: 'To compare, select two results of the same kind.' };
  }
  if (!comparableKinds.includes(older.kind)) return { refusal: 'Only runs and sweeps can be compared.' };
  if (older.state !== 'finished' || newer.state !== 'finished') {
    return { refusal: 'Only results that finished can be compared.' };
  }
  return { href: changesPath({ from: older.id, to: newer.id }) };
}

const comparableKinds: readonly KindName[] = ['comparison', 'sizes', 'sweep'];

/** What of it can be deleted here. `isOurs` tells whether this browser started one. */
export function deletableOf(selection: Selection, isOurs: (id: string) => boolean): string[] {
  return [...selection.values()].flatMap(({ id, state }) => (isOver(state) && isOurs(id) ? [id] : []));
}
