import { createHash } from 'node:crypto';
import { type Response, Router } from 'express';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { openRevision } from '../../life/library/scenario-library.ts';
import type { AppParts } from './app-parts.ts';
import { sendClient } from './client.ts';
import { refuseMethod } from './endpoint.ts';

/** `/s/{id}`: a revision of a scenario; a page for people, JSON by suffix or by Accept on the bare address. */
export function revisionLinks({ database, clientDirectory }: AppParts): Router {
  const router = Router();

  router.get('/:name', async (request, response, next) => {
    const link = /^([0-9A-Za-z]{22})(\.json)?$/.exec(request.params.name);
    if (link === null) return next('router');
    const [, id = '', suffix] = link;
    if (suffix !== undefined) return sendJson(response, id);
    response.vary('Accept');
    const type = request.accepts(['text/html', 'application/json']);
    if (type === false) throw problem('not_acceptable', 'Available: a page (text/html) and JSON.');
    if (type === 'application/json') return sendJson(response, id);
    await sendClient(response, clientDirectory, await statusOf(id));
  });
  router.all('/:name', refuseMethod(['GET', 'HEAD']));
  return router;

  /** It never changes, but it may be deleted, so it is asked for again each time. */
  async function sendJson(response: Response, id: string): Promise<void> {
    const text = `${JSON.stringify(await openRevision(database, id), null, 2)}\n`;
    const tag = createHash('sha256').update(text).digest('base64url');
    response
      .set({ 'Cache-Control': 'no-cache', ETag: `"${tag}"` })
      .type('json')
      .send(text);
  }

  async function statusOf(id: string): Promise<number> {
    try {
      await openRevision(database, id);
      return 200;
    } catch (error) {
      if (error instanceof ProblemError) return error.problem.status;
      throw error;
    }
  }
}
