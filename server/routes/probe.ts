import type { Router } from 'express';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

export function probe(router: Router, { checks }: AppParts): void {
  serve(router, 'probe', ({ body }) => checks.probe(body));
}
