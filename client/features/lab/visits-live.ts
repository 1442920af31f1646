import type { SideName } from '../../../shared/base/transport.ts';
import type { PassKind, VisitTime } from '../../../shared/kinds/visits/visits.ts';
import type { VisitedEvent, VisitingEvent } from '../../../shared/kinds/visits/visits-progress.ts';
import { median } from '../../format/printed-figures.ts';

export type LiveVisits = { now: VisitingEvent | null; visits: readonly VisitedEvent[] };

export const noVisits: LiveVisits = { now: null, visits: [] };

export function followVisits(live: LiveVisits, event: VisitingEvent | VisitedEvent): LiveVisits {
  return event.type === 'visiting' ? { ...live, now: event } : { ...live, visits: [...live.visits, event] };
}

export function visitsOf({ visits }: LiveVisits, side: SideName): VisitedEvent[] {
  return visits.filter(({ arm }) => arm === side);
}

/** Provisional; null before there is a value. */
export function medianOf(live: LiveVisits, side: SideName, pass: PassKind, time: VisitTime): number | null {
  const values = visitsOf(live, side).flatMap((visit) => visit[pass][time] ?? []);
  return values.length === 0 ? null : median(values);
}
