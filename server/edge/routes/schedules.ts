import type { Router } from 'express';
import { whoAsks } from '../middleware/actor.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** Measurements that are repeated. Users who may start measurements here may repeat them, and may end that. */
export function schedules(router: Router, { schedules: all }: AppParts): void {
  serve(router, 'listSchedules', async ({ query: { of } }) => ({ schedules: await all.list(of) }));
  serve(router, 'createSchedule', ({ body }, response) => all.create(body, whoAsks(response)));
  serve(router, 'changeSchedule', ({ params: { id }, body: { state } }) => all.change(id, state));
  serve(router, 'deleteSchedule', async ({ params: { id } }) => {
    await all.remove(id);
    return null;
  });
}
