import type { Router } from 'express';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

export function sql(router: Router, { history }: AppParts): void {
  serve(router, 'sql', ({ body }) => history.ask(body));
}
