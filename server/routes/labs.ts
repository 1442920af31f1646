import type { Router } from 'express';
import { problem } from '../../shared/problem.ts';
import { isOver } from '../../shared/run.ts';
import { buryLab, findLab, listLabs } from '../database/labs.ts';
import type { AppParts } from './app-parts.ts';
import { isDeleteToken } from './delete-token.ts';
import { serve, serveRaw } from './endpoint.ts';
import { sendText } from './send-document.ts';
import { lastEventId, streamEvents } from './stream-events.ts';

/** Measurements of the lab: made, listed, watched, cancelled and deleted as runs are. */
export function labs(router: Router, { lab, labEvents, database, logger }: AppParts): void {
  serve(router, 'createLab', async ({ body, headers }, response) => {
    const created = await lab.create(body, headers['idempotency-key'] ?? null);
    response.location(created.url);
    return created;
  });

  serve(router, 'listLabs', async ({ query }) => {
    const page = await listLabs(database, query);
    return {
      labs: page.labs.map((each) => ({ ...each, queuePosition: lab.queuePosition(each.id) })),
      nextCursor: page.nextCursor,
    };
  });

  serveRaw(router, 'showLab', async ({ params: { id } }, _request, response) => {
    const { text, final } = await lab.readDocument(id);
    sendText(response, { id, format: 'json', text, final });
  });

  serveRaw(router, 'labEvents', async ({ params: { id } }, request, response) => {
    const afterId = lastEventId(request);
    const over = await lab.isOver(id);
    const state = (await findLab(database, id))?.state ?? 'incomplete';
    await streamEvents(request, response, {
      id,
      afterId,
      log: labEvents,
      end: over ? { type: 'end', state } : null,
      isKnown: async () => (await findLab(database, id)) !== null,
      logger,
    });
  });

  serve(router, 'cancelLab', ({ params: { id }, body: { keep } }) => lab.cancel(id, keep));

  serve(router, 'deleteLab', async ({ params: { id }, headers }) => {
    const over = await lab.isOver(id);
    const record = await findLab(database, id);
    if (record === null) throw problem('run_not_found', `No measurement of the lab has the id ${id}.`);
    if (!isDeleteToken(headers['x-delete-token'], record.deleteTokenHash)) {
      throw problem('wrong_delete_token', 'The delete token is not that of this measurement.');
    }
    if (!over || !isOver(record.state)) {
      throw problem('run_unfinished', `The measurement is ${record.state}.`);
    }
    await buryLab(database, id, Date.now());
    return null;
  });
}
