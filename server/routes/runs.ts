import type { Router } from 'express';
import { problem } from '../../shared/problem.ts';
import { isOver } from '../../shared/run.ts';
import { listRuns } from '../database/list-runs.ts';
import { buryRun } from '../database/runs.ts';
import type { AppParts } from './app-parts.ts';
import { isDeleteToken } from './delete-token.ts';
import { serve, serveRaw } from './endpoint.ts';
import { findKnownRun } from './known-run.ts';
import { sendDocument } from './send-document.ts';

export function runs(router: Router, { control, database }: AppParts): void {
  serve(router, 'createRun', async ({ body, headers }, response) => {
    const created = await control.create(body, headers['idempotency-key'] ?? null);
    response.location(created.url);
    return created;
  });

  serve(router, 'listRuns', async ({ query }) => {
    const page = await listRuns(database, query);
    return {
      runs: page.runs.map((run) => ({ ...run, queuePosition: control.queuePosition(run.id) })),
      nextCursor: page.nextCursor,
    };
  });

  serveRaw(router, 'showRun', async ({ params: { id } }, _request, response) => {
    sendDocument(response, id, 'json', await control.readDocument(id));
  });

  serve(router, 'cancelRun', ({ params: { id }, body: { keep } }) => control.cancel(id, keep));

  serve(router, 'deleteRun', async ({ params: { id }, headers }) => {
    const run = await findKnownRun(database, id);
    if (!isDeleteToken(headers['x-delete-token'], run.deleteTokenHash)) {
      throw problem('wrong_delete_token', 'The delete token is not that of this run.');
    }
    if (!isOver(run.state)) throw problem('run_unfinished', `The run is ${run.state}.`);
    await buryRun(database, id, Date.now());
    return null;
  });
}
