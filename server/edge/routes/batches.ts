import type { Router } from 'express';
import { whoAsks } from '../middleware/actor.ts';
import { tellAudit } from '../middleware/audit.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** One request that several runners measure at once. */
export function batches(router: Router, { measurements }: AppParts): void {
  serve(router, 'createBatch', async ({ body: { labels, ...request }, headers }, response) => {
    const { kind } = request;
    const key = headers['idempotency-key'] ?? null;
    const created = await measurements.batches.create(kind, request, labels, key, whoAsks(response));
    tellAudit(response, { note: kind });
    response.location(created.url);
    return created;
  });
  serve(router, 'showBatch', ({ params: { id } }) => measurements.batches.show(id));
  serve(router, 'showBatchOf', async ({ params: { id } }) => ({
    batch: await measurements.batches.linkFrom(id),
  }));
}
