import type { Router } from 'express';
import { pinBaseline, unpinBaseline } from '../../life/database/series.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';
import { openSeries, readSeries } from './read-series.ts';

/** Runs with the same target, scenario, transports and plan, and the one that is pinned as their baseline. */
export function series(router: Router, { measurements, database }: AppParts): void {
  serve(router, 'showSeries', ({ params: { id }, query: { metric } }) =>
    readSeries(measurements, database, id, metric),
  );

  serve(router, 'pinBaseline', async ({ params: { id } }) => {
    const { demandFinished, listPins } = await openSeries(measurements, database, id);
    demandFinished();
    const earlier = (await listPins()).map((pin) => pin.id);
    await pinBaseline(database, id, Date.now(), earlier);
    return null;
  });

  serve(router, 'unpinBaseline', async ({ params: { id } }) => {
    await measurements.summary(id);
    await unpinBaseline(database, id);
    return null;
  });
}
