import { once } from 'node:events';
import { createSession, type Session } from 'better-sse';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { problemOfIssues } from '../../shared/problem.ts';
import type { LoggedEvent } from '../database/events.ts';
import type { EventLog } from '../measurement/event-log.ts';

export type Stream<Event> = {
  id: string;
  /** Where to go on from; 0 is the beginning. */
  afterId: number;
  log: EventLog<Event>;
  /** The last word on a measurement that is over, for a log that broke off; null while it goes on. */
  end: Event | null;
  /** Whether it is still known, asked once it is followed. */
  isKnown(): Promise<boolean>;
  logger: Logger;
};

/**
 * Progress as server-sent events. Reconnecting with Last-Event-ID replays what was missed; `?lastEventId=` does the same
 * for those who cannot set headers. The stream closes after `end`; whoever has had it is answered 204, on which an
 * EventSource stops asking.
 */
export async function streamEvents<Event extends { type: string }>(
  request: Request,
  response: Response,
  { id, afterId, log, end, isKnown, logger }: Stream<Event>,
): Promise<void> {
  response.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  if (request.method === 'HEAD') return void response.type('text/event-stream').end();
  if (end !== null) {
    const missed = await log.list(id, afterId);
    if (missed.length === 0) return void response.status(204).end();
    const session = await openSession(request, response);
    for (const logged of missed) push(session, logged);
    const last = missed.at(-1);
    if (last?.event.type !== 'end') push(session, { id: (last?.id ?? afterId) + 1, event: end });
    return void response.end();
  }
  const session = await openSession(request, response);
  const unfollow = log.follow(
    id,
    afterId,
    async (logged) => {
      push(session, logged);
      if (response.writableNeedDrain) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    },
    (error) => {
      if (error !== null) logger.error({ err: error, id }, 'event stream broke off');
      response.end();
    },
  );
  response.once('close', unfollow);
  // What was discarded just now has no log left that could end.
  if (!(await isKnown())) {
    unfollow();
    response.end();
  }
}

function openSession(request: Request, response: Response): Promise<Session> {
  return createSession(request, response, {
    retry: 2_000,
    keepAlive: 10_000,
    headers: { 'Cache-Control': 'no-store' },
  });
}

function push<Event extends { type: string }>(session: Session, { id, event }: LoggedEvent<Event>): void {
  if (session.isConnected) session.push(event, event.type, String(id));
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
