import type { Router } from 'express';
import { problemOfField } from '../../../shared/base/problem.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import type { HandshakesDocument } from '../../../shared/kinds/handshakes/handshakes.ts';
import type { SpeedDocument } from '../../../shared/kinds/speed/speed.ts';
import { billOfRun } from '../../kinds/comparison/analyse/bill-of-run.ts';
import { planFromFigures } from '../../method/capacity/plan-from-figures.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** The capacity of a load, from figures that were pasted or measured, and the bill of one on the two sides of a run. */
export function capacity(router: Router, { measurements }: AppParts): void {
  serve(router, 'capacity', async ({ body: { load, figures, prices } }) => {
    const [grid, speed, run] = await Promise.all([
      measured('figures.handshakes', figures.handshakes, 'handshakes'),
      measured('figures.speed', figures.speed, 'speed'),
      measured('figures.comparison', figures.comparison, 'comparison'),
    ]);
    if (run !== null && run.state !== 'finished')
      throw problemOfField('invalid_request', 'figures.comparison', `that run is ${run.state}`);
    const known = {
      own: figures.own,
      grid: grid as HandshakesDocument | null,
      speed: speed as SpeedDocument | null,
      run: run as RunDocument | null,
    };
    return planFromFigures(load, known, prices);
  });

  serve(router, 'billRun', async ({ params: { id }, body: { handshakes, ...asked } }) => {
    const run = await measured('id', id, 'comparison');
    const grid = await measured('handshakes', handshakes, 'handshakes');
    return billOfRun(run as RunDocument, asked, grid as HandshakesDocument | null);
  });

  async function measured(field: string, id: string | null, wanted: string) {
    if (id === null) return null;
    const { kind, document, final } = await measurements.document(id);
    if (!final) throw problemOfField('invalid_request', field, 'that measurement is not over yet');
    if (kind !== wanted)
      throw problemOfField('invalid_request', field, `that measurement is not one of ${wanted}`);
    return document;
  }
}
