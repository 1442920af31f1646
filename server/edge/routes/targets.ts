import type { Router } from 'express';
import { addressesOf } from '../../life/permits/addresses-of.ts';
import { findLocalServers } from '../../targets/local-servers.ts';
import { whoAsks } from '../middleware/actor.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** Which other hosts may be loaded, a look at both sides of a target, and the end of all load. */
export function targets(router: Router, { checks, permits, measurements }: AppParts): void {
  serve(router, 'listTargets', () => permits.list());

  serve(router, 'allowTarget', ({ body }, response) => permits.allow(body, whoAsks(response)));

  serve(router, 'withdrawTarget', async ({ params: { id } }, response) => {
    await permits.withdraw(id, whoAsks(response));
    return null;
  });

  serve(router, 'preflight', async ({ body }, response) => {
    await permits.note(whoAsks(response), 'checked', addressesOf(body), null);
    return checks.preflight(body);
  });

  serve(router, 'listLocalServers', async () => ({ servers: await findLocalServers() }));

  serve(router, 'probe', async ({ body }, response) => {
    await permits.note(whoAsks(response), 'probed', [body.url], null);
    return checks.probe(body);
  });

  serve(router, 'stopAll', async (_call, response) => {
    const stopped = await measurements.stop();
    await permits.noteStop(whoAsks(response));
    return { stopped };
  });
}
