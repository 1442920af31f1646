import { randomBytes } from 'node:crypto';
import type { RecordingRequest } from '../../../shared/scenario/recorder.ts';
import type { Recording } from '../../drive/browser/recorder/recording.ts';
import type { Recorded } from '../../intake/traffic/recording-report.ts';
import type { OnReached, Watcher } from './recording-control.ts';
import type { Start } from './recording-start.ts';

/** A browser that is recorded, and who watches it. */
export type Stage = {
  recording: Recording;
  tickets: Set<string>;
  watcher: Watcher | null;
  /** Ends the recording when nobody comes back. */
  alone: NodeJS.Timeout | null;
};

/** A page that is reloaded is back sooner. */
const aloneMs = 60_000;
const maxTickets = 20;

type Around = {
  executablePath: string;
  signal: AbortSignal;
  /** Whoever watches now. */
  watcher(): Watcher | null | undefined;
};

export async function openStage(
  { url, known, permits, own }: Start,
  { viewport }: RecordingRequest,
  onReached: OnReached,
  { executablePath, signal, watcher }: Around,
): Promise<{ name: string; recorded: Promise<Recorded>; stage: Stage }> {
  const { openRecording } = await import('../../drive/browser/recorder/open-recording.ts');
  const recording = await openRecording({
    ...{ executablePath, url, known, permits, own, onReached, viewport, signal },
    tell: (message) => watcher()?.tell(message),
    show: (jpeg) => watcher()?.show(jpeg),
  });
  const stage: Stage = { recording, tickets: new Set(), watcher: null, alone: null };
  waitForWatcher(stage);
  const recorded = recording.ended.finally(() => stopWaiting(stage));
  return { name: 'Recorded', recorded, stage };
}

export function waitForWatcher(stage: Stage): void {
  stage.alone = setTimeout(() => stage.recording.end('left_alone'), aloneMs);
}

export function stopWaiting({ alone }: Stage): void {
  if (alone !== null) clearTimeout(alone);
}

/** Lets one page watch; the oldest goes when there are too many. */
export function newTicket({ tickets }: Stage): string {
  const ticket = randomBytes(16).toString('base64url');
  const [oldest] = tickets;
  if (tickets.size >= maxTickets && oldest !== undefined) tickets.delete(oldest);
  tickets.add(ticket);
  return ticket;
}
