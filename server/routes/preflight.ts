import type { Router } from 'express';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

export function preflight(router: Router, { checks }: AppParts): void {
  serve(router, 'preflight', ({ body }) => checks.preflight(body));
}
