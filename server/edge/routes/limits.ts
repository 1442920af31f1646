import type { Router } from 'express';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

export function limits(router: Router, parts: AppParts): void {
  serve(router, 'limits', () => parts.limits);
}
