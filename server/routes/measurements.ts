import type { Request, Response, Router } from 'express';
import type { KindName } from '../../shared/measurement.ts';
import type { Summary } from '../measurement/summary.ts';
import { actorNow, whoAsks } from '../middleware/actor.ts';
import { tellAudit } from '../middleware/audit.ts';
import type { AppParts } from './app-parts.ts';
import { demandOwn } from './demand-own.ts';
import { type Answer, type Call, serve, serveRaw } from './endpoint.ts';
import { readCell } from './read-cell.ts';
import { sendDocument } from './send-text.ts';
import { lastEventId, streamEvents } from './stream-events.ts';

/** Measurements of every kind: made, listed, watched, cancelled and deleted; also at the addresses that runs and the lab had. */
export function measurements(router: Router, { measurements: all, database, team }: AppParts): void {
  serve(router, 'createMeasurement', ({ body, headers }, response) =>
    create(body.kind, body, headers, response),
  );
  serve(router, 'createRun', ({ body, headers }, response) =>
    create('comparison', { kind: 'comparison', ...body }, headers, response),
  );
  serve(router, 'createLab', ({ body, headers }, response) => {
    const kind = earlierNames[body.kind] ?? body.kind;
    return create(kind, { ...body, kind }, headers, response);
  });

  async function create(
    kind: string,
    body: object,
    headers: Call<'createMeasurement'>['headers'],
    response: Response,
  ) {
    const by = whoAsks(response);
    const created = await all.create(kind, body, headers['idempotency-key'] ?? null, { by });
    tellAudit(response, { note: kind });
    response.location(created.url);
    return created;
  }

  serve(router, 'resumeMeasurement', async ({ params: { id } }, response) => {
    const summary: Summary = await all.resume(id, whoAsks(response));
    return summary as unknown as Answer<'resumeMeasurement'>;
  });

  serve(router, 'restoreMeasurement', async ({ params: { id }, headers }) => {
    const summary: Summary = await all.restore(id, headers['x-delete-token']);
    return summary as unknown as Answer<'restoreMeasurement'>;
  });

  serveRaw(router, 'showPage', async ({ params: { id } }, _request, response) => {
    await sendDocument(response, id, await all.readShown(id));
  });
  serve(router, 'showLabel', ({ params: { id } }) => all.label(id));
  serve(router, 'changeLabel', ({ params: { id }, body }) => all.relabel(id, body));
  serve(router, 'listChoices', () => all.choices());

  serve(router, 'showCell', async ({ params: { id, cell } }) => (await readCell(all, id, cell)).document);

  serve(router, 'listMeasurements', async ({ query: { kind, ...query } }) => {
    const { summaries, nextCursor } = await all.list({ ...query, kinds: kind === undefined ? null : [kind] });
    return { measurements: summaries, nextCursor } as unknown as Answer<'listMeasurements'>;
  });
  serve(router, 'listRuns', async ({ query }) => {
    const { summaries, nextCursor } = await all.list({ ...query, kinds: ['comparison'] });
    return { runs: summaries, nextCursor } as unknown as Answer<'listRuns'>;
  });
  serve(router, 'listLabs', async ({ query }) => {
    const { summaries, nextCursor } = await all.list({ ...query, kinds: labKinds });
    return { labs: summaries, nextCursor } as unknown as Answer<'listLabs'>;
  });

  for (const [show, events, cancel, remove, kinds] of addresses) {
    serveRaw(router, show, async ({ params: { id } }, _request, response) => {
      await sendDocument(response, id, await all.readDocument(id, kinds));
    });
    serveRaw(router, events, ({ params: { id } }, request, response) => watch(id, request, response));
    serve(router, cancel, async ({ params: { id }, body: { keep } }, response) => {
      await demandOwn(database, id, response);
      const summary: Summary = await all.cancel(id, keep);
      return summary as unknown as Answer<typeof cancel>;
    });
    serve(router, remove, async ({ params: { id }, query, headers }) => {
      const act = query.permanent === true ? all.remove : all.bin;
      await act(id, headers['x-delete-token']);
      return null;
    });
  }

  function watch(id: string, request: Request, response: Response): Promise<void> {
    return streamEvents(request, response, {
      ...{ id, afterId: lastEventId(request), measurements: all },
      mayGoOn: team === null || team.linksOpen ? null : async () => (await actorNow(team, request)) !== null,
    });
  }
}

const labKinds: KindName[] = ['handshakes', 'primitives', 'journey'];
const earlierNames: Record<string, string> = { speed: 'primitives', browser: 'journey' };

/** With the kinds that each is for; all of them where there is none. */
const addresses = [
  ['showMeasurement', 'measurementEvents', 'cancelMeasurement', 'deleteMeasurement', undefined],
  ['showRun', 'runEvents', 'cancelRun', 'deleteRun', ['comparison']],
  ['showLab', 'labEvents', 'cancelLab', 'deleteLab', labKinds],
] as const;
