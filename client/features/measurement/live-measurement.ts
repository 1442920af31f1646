import type { MeasurementEvent } from '../../../shared/measurement/kinds.ts';
import type { MeasurementState, ProgressEvent } from '../../../shared/measurement/measurement.ts';
import type { AnyView } from './kind-view.ts';

/** The state of a measurement so far, put together from its events. */
type LiveMeasurement = {
  lastId: number;
  state: MeasurementState;
  queuePosition: number | null;
  /** Null before the first. Never goes back. */
  progress: ProgressEvent | null;
  /** Why the store does not take what is measured; null while it does. */
  stalled: string | null;
  /** What its kind makes of its own events. */
  figures: unknown;
};

type Follow = Pick<AnyView, 'figures' | 'follow'>;

export function beginLive(state: MeasurementState, { figures }: Follow): LiveMeasurement {
  return { lastId: -1, state, queuePosition: null, progress: null, stalled: null, figures };
}

/** Takes events in order; what was seen already, as after a replay, changes nothing. */
export function followEvents(
  live: LiveMeasurement,
  batch: readonly { id: number; event: MeasurementEvent }[],
  kind: Follow,
): LiveMeasurement {
  return batch.reduce((current, { id, event }) => {
    // An event outside the log has the id of an earlier event.
    const isLogged = event.type !== 'stalled' && event.type !== 'progress';
    if (isLogged && id <= current.lastId) return current;
    return follow(current, id, event, kind);
  }, live);
}

function follow(live: LiveMeasurement, id: number, event: MeasurementEvent, kind: Follow): LiveMeasurement {
  const next = { ...live, lastId: id, stalled: null };
  switch (event.type) {
    case 'stalled':
      return { ...live, stalled: event.detail };
    case 'state':
      return { ...next, state: event.state, queuePosition: event.queuePosition };
    case 'progress':
      return event.fraction < (live.progress?.fraction ?? 0) ? live : { ...live, progress: event };
    case 'measured':
    case 'end':
      return { ...next, state: event.state };
    default:
      return { ...next, figures: kind.follow(live.figures, event) };
  }
}
