import { changesPath } from '../../../shared/kinds/comparison/result-changes.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import type { MeasurementSummary } from '../../../shared/measurement/measurement-summary.ts';

/** Selected results by ID. They stay selected while the list shows others. */
export type Selection = ReadonlyMap<string, MeasurementSummary>;

export function toggle(selection: Selection, summary: MeasurementSummary): Selection {
  const next = new Map(selection);
  if (!next.delete(summary.id)) next.set(summary.id, summary);
  return next;
}

/** The selection as the list shows it now: a run that was selected may have ended since. */
export function refreshed(selection: Selection, listed: readonly MeasurementSummary[]): Selection {
  const current = new Map(listed.map((summary) => [summary.id, summary]));
  return new Map([...selection].map(([id, summary]) => [id, current.get(id) ?? summary]));
}

/** The page that compares the selected results, the older one first; otherwise a sentence that says why there is none. */
export function comparisonOf(selection: Selection): { href: string } | { problem: string } {
  const [older, newer, ...others] = [...selection.values()].toSorted((a, b) => a.createdAt - b.createdAt);
  if (older === undefined || newer === undefined || others.length > 0 || older.kind !== newer.kind) {
    return { problem: 'To compare, select two results of the same kind.' };
  }
  if (older.state !== 'finished' || newer.state !== 'finished') {
    return { problem: 'Only finished results can be compared.' };
  }
  return { href: changesPath({ from: older.id, to: newer.id }) };
}

/** IDs of those that can be deleted here. `isOurs` says whether this browser started one. */
export function deletableOf(selection: Selection, isOurs: (id: string) => boolean): string[] {
  return [...selection.values()].flatMap(({ id, state }) => (isOver(state) && isOurs(id) ? [id] : []));
}
