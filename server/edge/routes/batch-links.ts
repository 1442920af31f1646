import { type Response, Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import type { ShownBatch } from '../../life/measurement/list/batches.ts';
import type { AppParts } from './app-parts.ts';
import { sendClient } from './client.ts';
import { refuseMethod } from './endpoint.ts';
import { negotiate } from './negotiate.ts';
import { preload } from './preload.ts';
import type { Preview } from './preview.ts';
import { statusOf } from './status-of.ts';

/** `/b/{id}`: what several runners measure at once; a page for people, JSON by suffix or by Accept on the bare address. */
export function batchLinks({ measurements: { batches }, clientDirectory }: AppParts): Router {
  const router = Router();

  router.get('/:name', async (request, response, next) => {
    const [, id, suffix] = /^([0-9A-Za-z]{22})(\.json)?$/.exec(request.params.name) ?? [];
    if (id === undefined) return next('router');
    if (suffix === undefined) response.vary('Accept');
    const format = suffix === undefined ? negotiate(request, formats) : 'json';
    if (format === null) throw problem('not_acceptable', 'Available: a page and JSON.');
    if (format === 'html') return sendPage(id, response);
    response.set('Cache-Control', 'no-store').json(await batches.show(id));
  });
  router.all('/:name', refuseMethod(['GET', 'HEAD']));
  return router;

  async function sendPage(id: string, response: Response): Promise<void> {
    const found = batches.show(id);
    const status = await statusOf(found);
    if (status === 200) preload(response, `/batches/${id}`);
    await sendClient(response, clientDirectory, status, status === 200 ? previewOf(await found) : null);
  }
}

const formats: Record<string, 'html' | 'json'> = { 'text/html': 'html', 'application/json': 'json' };

function previewOf({ title, sites }: ShownBatch): Preview {
  const places = sites.map(({ labels }) => Object.values(labels).join(' ')).join(', ');
  return {
    title: `${title ?? 'Deleted measurements'} on ${sites.length} sites`,
    description: `Measured by TLS Toll: ${places}.`,
    image: null,
  };
}
