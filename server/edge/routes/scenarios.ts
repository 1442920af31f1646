import type { Response, Router } from 'express';
import type { PreflightRequest } from '../../../shared/api/target-endpoints.ts';
import {
  changeScenario,
  listLibrary,
  openRevision,
  openScenario,
  removeScenario,
  saveScenario,
} from '../../life/library/scenario-library.ts';
import { addressesOf } from '../../life/permits/addresses-of.ts';
import { whoAsks } from '../middleware/actor.ts';
import type { AppParts } from './app-parts.ts';
import { serve, serveFile } from './endpoint.ts';

export function scenarios(router: Router, { checks, database, permits }: AppParts): void {
  serve(router, 'listScenarios', () => listLibrary(database));

  serve(router, 'createScenario', async ({ body }, response) => {
    const stored = await saveScenario(database, body);
    response.location(`/scenarios/${stored.id}`);
    return stored;
  });

  serve(router, 'showScenario', ({ params: { id } }) => openScenario(database, id));

  serve(router, 'changeScenario', ({ params: { id }, body }) => changeScenario(database, id, body));

  serve(router, 'deleteScenario', async ({ params: { id } }) => {
    await removeScenario(database, id);
    return null;
  });

  serve(router, 'dryRun', ({ body }, response) => dryRun(body, response));
  serve(router, 'dryRunScenario', ({ params: { id }, body }, response) =>
    dryRun({ ...body, scenario: id }, response),
  );

  async function dryRun(request: PreflightRequest, response: Response) {
    await permits.note(whoAsks(response), 'checked', addressesOf(request), null);
    return checks.dryRun(request);
  }

  serveFile(router, 'exportScenario', async ({ params: { id }, query }) => {
    const { exportScenario } = await import('./export-scenario.ts');
    return exportScenario(await openScenario(database, id), query.as, query.origin);
  });

  serve(router, 'showRevision', ({ params: { id } }) => openRevision(database, id));
}
