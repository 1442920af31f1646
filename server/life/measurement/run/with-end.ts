import type { MeasurementState } from '../../../../shared/measurement/measurement.ts';
import type { StoredEvent } from '../../database/events.ts';

/** The rest of the log of one that is over, with its end, even if the log was cut off. */
export function withEnd(
  events: readonly StoredEvent[],
  state: MeasurementState,
  afterId: number,
): readonly StoredEvent[] {
  const last = events.at(-1);
  if (last !== undefined && isEnd(last.body)) return events;
  return [...events, { id: (last?.id ?? afterId) + 1, body: JSON.stringify({ type: 'end', state }) }];
}

export function isEnd(body: string): boolean {
  return (JSON.parse(body) as { type: string }).type === 'end';
}
