import type { Router } from 'express';
import {
  changeScenario,
  listLibrary,
  openRevision,
  openScenario,
  removeScenario,
  saveScenario,
} from '../library/scenario-library.ts';
import type { AppParts } from './app-parts.ts';
import { serve, serveFile } from './endpoint.ts';
import { exportScenario } from './export-scenario.ts';

export function scenarios(router: Router, { checks, database }: AppParts): void {
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

  serve(router, 'dryRun', ({ body }) => checks.dryRun(body));

  serve(router, 'dryRunScenario', ({ params: { id }, body }) => checks.dryRun({ ...body, scenario: id }));

  serveFile(router, 'exportScenario', async ({ params: { id }, query }) =>
    exportScenario(await openScenario(database, id), query.as, query.origin),
  );

  serve(router, 'showRevision', ({ params: { id } }) => openRevision(database, id));
}
