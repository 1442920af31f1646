import type { Router } from 'express';
import type { ShownBatch } from '../../life/measurement/list/batches.ts';
import { whoAsks } from '../middleware/actor.ts';
import { tellAudit } from '../middleware/audit.ts';
import type { AppParts } from './app-parts.ts';
import { type Answer, serve } from './endpoint.ts';

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
  serve(router, 'showBatch', async ({ params: { id } }) => {
    const batch: ShownBatch = await measurements.batches.show(id);
    return batch as unknown as Answer<'showBatch'>;
  });
  serve(router, 'showBatchOf', async ({ params: { id } }) => ({
    batch: await measurements.batches.linkFrom(id),
  }));
}
