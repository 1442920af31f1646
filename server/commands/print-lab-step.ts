import type { LabEvent, LabStep } from '../../shared/lab-progress.ts';

/** One line that overwrites itself on a terminal; nothing on a log. */
export function printLabStep(step: LabStep, stream: NodeJS.WriteStream): void {
  if (!stream.isTTY || step.type !== 'progress') return;
  const { phase, fraction, cellsDone, cellsPlanned, roundsDone, roundsPlanned, secondsLeft } = step;
  const round =
    phase === 'measuring' ? `round ${Math.min(roundsPlanned, roundsDone + 1)} of ${roundsPlanned}, ` : '';
  const left = secondsLeft === null ? '' : `, about ${Math.round(secondsLeft)} s left`;
  const line = `${phase}: ${round}${cellsDone} of ${cellsPlanned} (${Math.round(fraction * 100)} %${left})`;
  stream.write(`\r\u001b[K${line}${fraction === 1 ? '\r\u001b[K' : ''}`);
}

/** The same, with the place in the queue before, and nothing left on the line at the end. */
export function printLabEvent(event: LabEvent, stream: NodeJS.WriteStream): void {
  if (event.type === 'progress' || event.type === 'cells') printLabStep(event, stream);
  else if (stream.isTTY) {
    const waiting = event.type === 'state' && event.queuePosition !== null;
    stream.write(`\r\u001b[K${waiting ? `queued, place ${event.queuePosition}` : ''}`);
  }
}
