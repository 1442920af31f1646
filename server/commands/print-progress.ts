import type { RunEvent } from '../../shared/progress.ts';
import { transportFacts } from '../../shared/transport.ts';

/** One line a step on a log, one line that overwrites itself on a terminal. */
export function printProgress(event: RunEvent, stream: NodeJS.WriteStream): void {
  const line = lineOf(event);
  if (line === null) return;
  if (stream.isTTY) stream.write(`\r\u001b[K${line}${event.type === 'progress' ? '' : '\n'}`);
  else stream.write(`${line}\n`);
}

function lineOf(event: RunEvent): string | null {
  switch (event.type) {
    case 'state':
      return event.state === 'queued' ? `queued, place ${event.queuePosition ?? 1}` : event.state;
    case 'progress': {
      const left = event.secondsLeft === null ? '' : `, about ${Math.round(event.secondsLeft)} s left`;
      const blocks =
        event.phase === 'measuring' ? `: ${event.blocksDone} of ${event.blocksPlanned} blocks` : '';
      return `${event.phase}${blocks} (${Math.round(event.fraction * 100)} %${left})`;
    }
    case 'block':
      return event.dropped.length === 0
        ? null
        : `block ${event.index + 1} dropped: ${event.dropped.join(' ')}`;
    case 'errors':
      return event.groups
        .map((group) => `${transportFacts[group.transport].name}: ${group.detail} (${group.count})`)
        .join('; ');
    case 'end':
      return null;
  }
}
