import type { Router } from 'express';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** Who measures for this database. */
export function runners(router: Router, { measurements }: AppParts): void {
  serve(router, 'listRunners', () => measurements.runners());
}
