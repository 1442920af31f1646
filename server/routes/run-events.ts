import { once } from 'node:events';
import { createSession, type Session } from 'better-sse';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import { problemOfIssues } from '../../shared/problem.ts';
import { isOver } from '../../shared/run.ts';
import { type LoggedEvent, listEvents } from '../database/events.ts';
import { findRun } from '../database/runs.ts';
import type { AppParts } from './app-parts.ts';
import { serveRaw } from './endpoint.ts';
import { findKnownRun } from './known-run.ts';

/**
 * Progress as server-sent events. Reconnecting with Last-Event-ID replays what was missed; `?lastEventId=` does the same
 * for those who cannot set headers. The stream closes after `end`; whoever has had it is answered 204, on which an
 * EventSource stops asking.
 */
export function runEvents(router: Router, { control, database, events, logger }: AppParts): void {
  serveRaw(router, 'runEvents', async ({ params: { id } }, request, response) => {
    const afterId = lastEventId(request);
    const run = await findKnownRun(database, id);
    response.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
    if (request.method === 'HEAD') return void response.type('text/event-stream').end();
    if (isOver(run.state) && control.status().running !== id) {
      const missed = await listEvents(database, id, afterId);
      if (missed.length === 0) return void response.status(204).end();
      const session = await openSession(request, response);
      for (const logged of missed) push(session, logged);
      if (missed.at(-1)?.event.type !== 'end') {
        push(session, { id: (missed.at(-1)?.id ?? afterId) + 1, event: { type: 'end', state: run.state } });
      }
      return void response.end();
    }
    const session = await openSession(request, response);
    const unfollow = events.follow(
      id,
      afterId,
      async (logged) => {
        push(session, logged);
        if (response.writableNeedDrain)
          await Promise.race([once(response, 'drain'), once(response, 'close')]);
      },
      (error) => {
        if (error !== null) logger.error({ err: error, run: id }, 'event stream broke off');
        response.end();
      },
    );
    response.once('close', unfollow);
    // A run that was discarded just now has no log left that could end.
    if ((await findRun(database, id)) === null) {
      unfollow();
      response.end();
    }
  });
}

function openSession(request: Request, response: Response): Promise<Session> {
  return createSession(request, response, {
    retry: 2_000,
    keepAlive: 10_000,
    headers: { 'Cache-Control': 'no-store' },
  });
}

function push(session: Session, { id, event }: LoggedEvent): void {
  if (session.isConnected) session.push(event, event.type, String(id));
}

const idSchema = z.object({
  lastEventId: z
    .string()
    .regex(/^\d{1,9}$/, 'the id of an event is a whole number')
    .transform(Number)
    .default(0),
});

function lastEventId(request: Request): number {
  const header = request.get('Last-Event-ID');
  const parsed = idSchema.safeParse({
    lastEventId: header === undefined || header === '' ? request.query.lastEventId : header,
  });
  if (!parsed.success) throw problemOfIssues('invalid_request', parsed.error, 'Where to go on from');
  return parsed.data.lastEventId;
}
