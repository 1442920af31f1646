import { once } from 'node:events';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { problemOfIssues } from '../../../shared/base/problem.ts';
import type { ToldEvent } from '../../kinds/told-event.ts';
import type { Measurements } from '../../life/measurement/measurements.ts';
import { endUnlessAllowed } from './end-unless-allowed.ts';

type Stream = {
  id: string;
  /** Where to go on from; 0 is the beginning. */
  afterId: number;
  measurements: Pick<Measurements, 'mirror' | 'follow' | 'events'>;
  /** Whether who opened it may still read it; null where everybody may. */
  mayGoOn: (() => Promise<boolean>) | null;
};

const reconnect = 'retry: 2000\n\n';
const keepAliveMs = 10_000;
/** Of what is written at once: so much waits in memory for a viewer that reads slowly. */
const pieceLength = 16_384;

/**
 * Progress as server-sent events (WHATWG HTML, 9.2). Reconnecting with Last-Event-ID replays what was missed;
 * `?lastEventId=` does the same for those who cannot set headers. The stream closes after `end`; whoever has had it is
 * answered 204, on which an EventSource stops asking. The texts go out as the log holds them: a thousand viewers cost a
 * thousand writes, and nothing is read or printed again for each.
 */
export async function streamEvents(
  request: Request,
  response: Response,
  { id, afterId, measurements, mayGoOn }: Stream,
): Promise<void> {
  response.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  if (request.method === 'HEAD') return void response.type('text/event-stream').end();
  await measurements.mirror(id);
  const pieces = openPieces(response);
  const unfollow = measurements.follow(id, afterId, {
    onEvent: (event) => pieces.add(frameOf(event)),
    onEnd: () => pieces.end(),
  });
  if (unfollow === null) return replay(response, await measurements.events(id, afterId));
  begin(response);
  pieces.add(reconnect);
  const keepAlive = setInterval(() => response.write(':\n\n'), keepAliveMs);
  const stopAsking = mayGoOn === null ? () => {} : endUnlessAllowed(mayGoOn, () => response.destroy());
  response.once('close', () => {
    clearInterval(keepAlive);
    stopAsking();
    unfollow();
  });
}

function replay(response: Response, events: readonly ToldEvent[]): void {
  if (events.length === 0) return void response.status(204).end();
  begin(response);
  response.end(reconnect + events.map(frameOf).join(''));
}

function begin(response: Response): void {
  response.status(200).set('Content-Type', 'text/event-stream; charset=utf-8');
}

/** Frames that come together are written together: a log of hundreds of events is a few writes. */
function openPieces(response: Response) {
  let piece = '';

  function write(): void {
    if (piece !== '') response.write(piece);
    piece = '';
  }

  return {
    /** A promise where the viewer reads more slowly than it is told. */
    add(frame: string): Promise<void> | undefined {
      if (piece === '') queueMicrotask(write);
      piece += frame;
      if (piece.length >= pieceLength) write();
      if (!response.writableNeedDrain) return undefined;
      return Promise.race([once(response, 'drain'), once(response, 'close')]).then(() => {});
    },
    end(): void {
      write();
      response.end();
    },
  };
}

/** JSON holds no line break of its own. */
function frameOf({ id, type, text }: ToldEvent): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${type}\ndata: ${text}\n\n`;
}

const idSchema = z.object({
  lastEventId: z
    .string()
    .regex(/^\d{1,9}$/, 'the id of an event is a whole number')
    .transform(Number)
    .default(0),
});

/** Of the header, or of the query. Throws invalid_request. */
export function lastEventId(request: Request): number {
  const header = request.get('Last-Event-ID');
  const parsed = idSchema.safeParse({
    lastEventId: header === undefined || header === '' ? request.query.lastEventId : header,
  });
  if (!parsed.success) throw problemOfIssues('invalid_request', parsed.error, 'Where to go on from');
  return parsed.data.lastEventId;
}
