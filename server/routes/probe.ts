import type { Router } from 'express';
import { probe as probeTarget } from '../target/probe/probe.ts';
import { serve } from './endpoint.ts';

export function probe(router: Router): void {
  serve(router, 'probe', ({ body }) => probeTarget(body));
}
