import type { Router } from 'express';
import { expectWidths } from '../../kinds/comparison/analyse/expect-widths.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

export function machine(router: Router, { machine: watch, measurements, limits }: AppParts): void {
  serve(router, 'machine', async () => {
    const measuring = measurements.status().running !== null;
    const use = watch.look();
    const foreignRatio = measuring ? null : use.foreignRatio;
    const expected = expectWidths(await watch.halfWidths(), limits.presets);
    return { ...use, foreignRatio, measuring, expected };
  });
}
