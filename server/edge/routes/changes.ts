import type { Router } from 'express';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** What changed between two results, for programs. */
export function changes(router: Router, { measurements }: AppParts): void {
  serve(router, 'showChanges', async ({ params: { pair } }) => (await measurements.changes(pair)).changes);
}
