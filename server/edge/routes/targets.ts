import type { Router } from 'express';
import { whoAsks } from '../middleware/actor.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** Which other hosts may be loaded, and the end of all load. */
export function targets(router: Router, { permits, measurements }: AppParts): void {
  serve(router, 'listTargets', () => permits.list());

  serve(router, 'allowTarget', ({ body }, response) => permits.allow(body, whoAsks(response)));

  serve(router, 'withdrawTarget', async ({ params: { id } }, response) => {
    await permits.withdraw(id, whoAsks(response));
    return null;
  });

  serve(router, 'stopAll', async (_call, response) => {
    const stopped = await measurements.stop();
    await permits.noteStop(whoAsks(response));
    return { stopped };
  });
}
