import type { ProgressEvent } from '../../shared/measurement.ts';
import type { Observed, Observer } from '../measurement/observer.ts';
import { type Mark, measurementSpans } from './measurement-spans.ts';

/**
 * Remembers when the phases of a measurement began, and makes its spans when it has ended: while it measures, nothing is sent
 * of it.
 */
export function observeMeasurement(
  measurement: Observed,
  send: (spans: ReturnType<typeof measurementSpans>) => void,
): Observer {
  const marks: Mark[] = [];
  const mark = (name: string) => {
    if (marks.at(-1)?.name !== name) marks.push({ name, at: Date.now() });
  };
  return {
    onEvent(event) {
      if (event.type === 'progress') mark((event as ProgressEvent).phase);
    },
    onBegin: () => mark('preparation'),
    onEnd: (frame) => send(measurementSpans(measurement, frame, marks)),
  };
}
