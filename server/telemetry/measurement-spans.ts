import type { MeasurementState } from '../../shared/measurement.ts';
import type { Frame } from '../measurement/kind.ts';
import type { Observed } from '../measurement/observer.ts';
import type { PlainSpan } from './telemetry.ts';

/** What a measurement does from this time on (milliseconds since 1970), until the next mark or its end. */
export type Mark = { name: string; at: number };

/** Of these, somebody should know; a measurement that was canceled ends as it should. */
const wrong: readonly MeasurementState[] = ['failed', 'interrupted', 'refused'];

/** The trace of one measurement: all of it, and its parts one after another. */
export function measurementSpans(
  { id, kind, queuedAt }: Observed,
  { state, startedAt, endedAt, problem }: Pick<Frame<unknown>, 'state' | 'startedAt' | 'endedAt' | 'problem'>,
  marks: readonly Mark[],
): { whole: PlainSpan; parts: PlainSpan[] } {
  const end = endedAt ?? queuedAt;
  // One that began in a process that is gone has no marks of its own.
  const begun = marks[0]?.at ?? (startedAt !== null && startedAt >= queuedAt ? startedAt : end);
  const isWrong = wrong.includes(state);
  const whole: PlainSpan = {
    name: `measurement ${kind}`,
    ...{ startedAt: queuedAt, endedAt: end },
    attributes: {
      'tls_toll.measurement.id': id,
      'tls_toll.measurement.kind': kind,
      'tls_toll.measurement.state': state,
      ...(problem === null ? {} : { 'tls_toll.measurement.problem': problem.code }),
      ...(problem !== null && isWrong ? { 'error.type': problem.code } : {}),
    },
    error: isWrong ? (problem?.title ?? state) : null,
  };
  const parts = marks.map(({ name, at }, index) => span(name, at, marks[index + 1]?.at ?? end));
  return { whole, parts: [span('queued', queuedAt, begun), ...parts] };
}

function span(name: string, startedAt: number, endedAt: number): PlainSpan {
  return { name, startedAt, endedAt, attributes: {}, error: null };
}
