import type { Router } from 'express';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

export function health(router: Router, { measurements, version }: AppParts): void {
  serve(router, 'health', () => ({
    status: 'ok' as const,
    version,
    uptimeS: Math.round(process.uptime() * 10) / 10,
    ...measurements.status(),
  }));
}
