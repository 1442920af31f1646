import type { Router } from 'express';
import { whoAsks } from '../middleware/actor.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

export function probe(router: Router, { checks, permits }: AppParts): void {
  serve(router, 'probe', async ({ body }, response) => {
    await permits.note(whoAsks(response), 'probed', [body.url], null);
    return checks.probe(body);
  });
}
