import { Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import type { AppParts } from './app-parts.ts';
import { sendClient } from './client.ts';
import { refuseMethod } from './endpoint.ts';
import { negotiate } from './negotiate.ts';
import { originOf } from './origin-of.ts';
import { preload } from './preload.ts';
import { previewOf } from './preview.ts';
import { type DocumentFormat, sendDocument, sendText } from './send-text.ts';
import { statusOf } from './status-of.ts';

/** `/r/{id}` and `/l/{id}`: a page for people; the document by suffix, or by Accept on the bare address. */
export function permalinks({ measurements, clientDirectory }: AppParts): Router {
  const router = Router();

  router.get('/:name', async (request, response, next) => {
    const link = /^([0-9A-Za-z]{22})(?:\.(json|csv|jsonl|parquet|md))?$/.exec(request.params.name);
    if (link === null) return next('router');
    const [, id = '', suffix] = link;
    if (suffix === undefined) response.vary('Accept');
    const format = suffix === undefined ? negotiate(request, formats) : (suffix as DocumentFormat);
    if (format === null)
      throw problem('not_acceptable', 'Available: a page, JSON, CSV, JSON Lines, Parquet and Markdown.');
    if (format === 'html') {
      const status = await statusOf(measurements.demandReadable(id));
      if (status === 200) preload(response, `/measurements/${id}/page`);
      const preview = status === 200 ? previewOf(await measurements.summary(id), originOf(request)) : null;
      return sendClient(response, clientDirectory, status, preview);
    }
    if (format !== 'json')
      return await sendText(response, { id, format, ...(await measurements.print(id, format)) });
    await sendDocument(response, id, await measurements.readDocument(id));
  });
  router.all('/:name', refuseMethod(['GET', 'HEAD']));
  return router;
}

const formats: Record<string, DocumentFormat | 'html'> = {
  'text/html': 'html',
  'application/json': 'json',
  'text/csv': 'csv',
  'application/jsonl': 'jsonl',
  'application/vnd.apache.parquet': 'parquet',
  'text/markdown': 'md',
};
