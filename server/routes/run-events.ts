import type { Router } from 'express';
import { isOver } from '../../shared/run.ts';
import { findRun } from '../database/runs.ts';
import type { AppParts } from './app-parts.ts';
import { serveRaw } from './endpoint.ts';
import { findKnownRun } from './known-run.ts';
import { lastEventId, streamEvents } from './stream-events.ts';

export function runEvents(router: Router, { control, database, events, logger }: AppParts): void {
  serveRaw(router, 'runEvents', async ({ params: { id } }, request, response) => {
    const afterId = lastEventId(request);
    const { state } = await findKnownRun(database, id);
    const over = isOver(state) && control.status().running !== id;
    await streamEvents(request, response, {
      id,
      afterId,
      log: events,
      end: over ? { type: 'end', state } : null,
      isKnown: async () => (await findRun(database, id)) !== null,
      logger,
    });
  });
}
