import { Router } from 'express';
import type { Metrics } from '../metrics/open-metrics.ts';
import { demandAccess } from '../middleware/actor.ts';

/** `/metrics`, for Prometheus. */
export function metrics({ read }: Metrics): Router {
  const router = Router();
  router.get('/', async (request, response) => {
    demandAccess('reader', request, response);
    const { text, mediaType } = await read();
    response.set({ 'Cache-Control': 'no-store', 'Content-Type': mediaType }).send(text);
  });
  return router;
}
