import type { MeasurementEvent } from '../../../shared/measurement/kinds.ts';
import type { ProgressEvent } from '../../../shared/measurement/measurement.ts';
import { leftOutOf } from '../../../shared/words/drop-advice.ts';

/** Where events are printed to. */
export type Printer = { readonly isTTY: boolean; write(text: string): unknown };

/** One line an event on a log, one line that overwrites itself on a terminal. */
export function eventPrinter(stream: Printer): (event: MeasurementEvent) => void {
  let counted = '';
  return (event) => {
    const parts = event.type === 'progress' ? partsOf(event) : null;
    if (parts !== null && parts === counted && !stream.isTTY) return;
    counted = parts ?? counted;
    printEvent(event, stream);
  };
}

/** Identifies a progress line in a log: events come every second, but each phase and count is printed once. */
function partsOf({ phase, counts: [widest] }: ProgressEvent): string {
  return `${phase} ${widest?.done ?? 0}`;
}

function printEvent(event: MeasurementEvent, stream: Printer): void {
  // A log has a line for each of the widest parts, and none for what is within it.
  const line = lineOf(event, stream.isTTY ? undefined : 1);
  if (line === null) {
    if (stream.isTTY && event.type === 'end') stream.write('\r\u001b[K');
    return;
  }
  if (stream.isTTY) stream.write(`\r\u001b[K${line}${event.type === 'progress' ? '' : '\n'}`);
  else stream.write(`${line}\n`);
}

/** @param widest how many of the counts are printed, widest first; all without it */
function lineOf(event: MeasurementEvent, widest?: number): string | null {
  switch (event.type) {
    case 'state':
      return event.state === 'queued' ? `queued, place ${event.queuePosition ?? 1}` : event.state;
    case 'progress':
      return progressLine(event, widest);
    case 'measured':
      return event.sentences.length === 0 ? event.state : event.sentences.join(' ');
    case 'stalled':
      return `cannot store results yet: ${event.detail}`;
    case 'block':
      return event.reasons.length === 0
        ? null
        : `block ${event.index + 1} is left out of ${leftOutOf(event.reasons)}: ${event.reasons.map(({ message }) => message).join(' ')}`;
    case 'errors':
      return event.groups.map((group) => `${group.name}: ${group.detail} (${group.count})`).join('; ');
    case 'visit':
      return event.failure === null ? null : `${event.cell} failed: ${event.failure}`;
    // Figures of a kind so far are for its page.
    default:
      return null;
  }
}

function progressLine(
  { phase, fraction, counts, secondsLeft, longerS }: ProgressEvent,
  widest?: number,
): string {
  const counted = counts
    .slice(0, widest)
    .map(({ of, done, planned }) => `${of} ${Math.min(done + 1, planned)} of ${planned}`);
  const times = [
    `${Math.round(fraction * 100)} %`,
    ...(secondsLeft === null ? [] : [`about ${Math.round(secondsLeft)} s left`]),
    ...(longerS === undefined ? [] : [`${Math.round(longerS)} s longer than planned`]),
  ];
  return `${phase}${isCounted(phase) ? `: ${counted.join(', ')}` : ''} (${times.join(', ')})`;
}

function isCounted(phase: string): boolean {
  return phase === 'measuring' || phase === 'waiting for generators';
}
