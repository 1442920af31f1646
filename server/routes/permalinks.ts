import { type Request, Router } from 'express';
import { problem } from '../../shared/problem.ts';
import type { AppParts } from './app-parts.ts';
import { sendClient } from './client.ts';
import { refuseMethod } from './endpoint.ts';
import { type DocumentFormat, sendText } from './send-text.ts';
import { statusOf } from './status-of.ts';

/** `/r/{id}` and `/l/{id}`: a page for people; the document by suffix, or by Accept on the bare address. */
export function permalinks({ measurements, clientDirectory }: AppParts): Router {
  const router = Router();

  router.get('/:name', async (request, response, next) => {
    const link = /^([0-9A-Za-z]{22})(?:\.(json|csv|md))?$/.exec(request.params.name);
    if (link === null) return next('router');
    const [, id = '', suffix] = link;
    if (suffix === undefined) response.vary('Accept');
    const format = suffix === undefined ? negotiate(request) : (suffix as DocumentFormat);
    if (format === null) throw problem('not_acceptable', 'A measurement is a page, JSON, CSV or Markdown.');
    if (format === 'html')
      return sendClient(response, clientDirectory, await statusOf(measurements.demandReadable(id)));
    const document =
      format === 'json' ? await measurements.readDocument(id) : await measurements.print(id, format);
    await sendText(response, { id, format, ...document });
  });
  router.all('/:name', refuseMethod(['GET', 'HEAD']));
  return router;
}

const formats: Record<string, DocumentFormat | 'html'> = {
  'text/html': 'html',
  'application/json': 'json',
  'text/csv': 'csv',
  'text/markdown': 'md',
};

function negotiate(request: Request): DocumentFormat | 'html' | null {
  const type = request.accepts(Object.keys(formats));
  return type === false ? null : (formats[type] ?? null);
}
