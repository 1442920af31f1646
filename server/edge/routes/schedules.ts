import type { Router } from 'express';
import type { ShownSchedule } from '../../life/measurement/repeat/schedules.ts';
import { whoAsks } from '../middleware/actor.ts';
import type { AppParts } from './app-parts.ts';
import { type Answer, serve } from './endpoint.ts';

/** Measurements that are repeated. Users who may start measurements here may repeat them, and may end that. */
export function schedules(router: Router, { schedules: all }: AppParts): void {
  serve(router, 'listSchedules', async ({ query: { of } }) => {
    return { schedules: await all.list(of) } as unknown as Answer<'listSchedules'>;
  });
  serve(
    router,
    'createSchedule',
    async ({ body }, response) =>
      (await all.create(body, whoAsks(response))) as unknown as Answer<'createSchedule'>,
  );
  serve(router, 'changeSchedule', async ({ params: { id }, body: { state } }) => {
    const schedule: ShownSchedule = await all.change(id, state);
    return schedule as unknown as Answer<'changeSchedule'>;
  });
  serve(router, 'deleteSchedule', async ({ params: { id } }) => {
    await all.remove(id);
    return null;
  });
}
