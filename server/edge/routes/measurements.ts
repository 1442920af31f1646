import type { Response, Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import type { Database } from '../../life/database/open-database.ts';
import { findStarter } from '../../life/database/starters.ts';
import { actorNow, actorOf, whoAsks } from '../middleware/actor.ts';
import { tellAudit } from '../middleware/audit.ts';
import type { AppParts } from './app-parts.ts';
import { serve, serveRaw } from './endpoint.ts';
import { readCell } from './read-cell.ts';
import { sendDocument } from './send-text.ts';
import { lastEventId, streamEvents } from './stream-events.ts';

/** Measurements of every kind: made, listed, compared, asked, watched, canceled, and deleted. */
export function measurements(
  router: Router,
  { measurements: all, results, database, history, team }: AppParts,
): void {
  serve(router, 'createMeasurement', async ({ body, headers }, response) => {
    const { kind } = body;
    const by = whoAsks(response);
    const created = await all.create(kind, body, headers['idempotency-key'] ?? null, { by });
    tellAudit(response, { note: kind });
    response.location(created.url);
    return created;
  });

  serve(router, 'resumeMeasurement', ({ params: { id } }, response) => all.resume(id, whoAsks(response)));
  serve(router, 'restoreMeasurement', ({ params: { id }, headers }) =>
    all.restore(id, headers['x-delete-token']),
  );

  serveRaw(router, 'showPage', async ({ params: { id } }, _request, response) => {
    await sendDocument(response, id, await results.readShown(id));
  });
  serve(router, 'showAnnotation', ({ params: { id } }) => results.annotation(id));
  serve(router, 'changeAnnotation', ({ params: { id }, body }) => all.annotate(id, body));
  serve(router, 'listChoices', () => all.choices());

  serve(router, 'showCell', async ({ params: { id, cell } }) => (await readCell(all, id, cell)).document);

  serve(router, 'showChanges', async ({ params: { pair } }) => (await all.changes(pair)).changes);
  serve(router, 'sql', ({ body }) => history.ask(body));

  serve(router, 'listMeasurements', async ({ query: { kind, ...query } }) => {
    const { summaries, nextCursor } = await all.list({ ...query, kinds: kind === undefined ? null : [kind] });
    return { measurements: summaries, nextCursor };
  });

  serveRaw(router, 'showMeasurement', async ({ params: { id } }, _request, response) => {
    await sendDocument(response, id, await results.readDocument(id));
  });
  serveRaw(router, 'measurementEvents', ({ params: { id } }, request, response) =>
    streamEvents(request, response, {
      ...{ id, afterId: lastEventId(request), measurements: { ...all, events: results.events } },
      mayGoOn: team === null || team.linksOpen ? null : async () => (await actorNow(team, request)) !== null,
    }),
  );
  serve(router, 'cancelMeasurement', async ({ params: { id }, body: { keep } }, response) => {
    await demandOwn(database, id, response);
    return all.cancel(id, keep);
  });
  serve(router, 'deleteMeasurement', async ({ params: { id }, query, headers }) => {
    const act = query.permanent === true ? all.remove : all.bin;
    await act(id, headers['x-delete-token']);
    return null;
  });
}

/** Admins may cancel every measurement, others what they have started. Throws not_yours. */
async function demandOwn(database: Database, id: string, response: Response): Promise<void> {
  const actor = actorOf(response);
  if (actor === null || actor.role === 'admin') return;
  if ((await findStarter(database, id)) !== actor.id)
    throw problem('not_yours', `${actor.name} did not start it. Canceling it needs the role admin.`);
}
