import type { Router } from 'express';
import { addressesOf } from '../../life/permits/addresses-of.ts';
import { whoAsks } from '../middleware/actor.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

export function preflight(router: Router, { checks, permits }: AppParts): void {
  serve(router, 'preflight', async ({ body }, response) => {
    await permits.note(whoAsks(response), 'checked', addressesOf(body), null);
    return checks.preflight(body);
  });
}
