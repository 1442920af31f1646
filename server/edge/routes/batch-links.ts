import type { Router } from 'express';
import type { Batch } from '../../../shared/measurement/batch.ts';
import type { AppParts } from './app-parts.ts';
import { sendClient } from './client.ts';
import { documentLinks, permalinkId } from './links.ts';
import { preload } from './preload.ts';
import type { Preview } from './preview.ts';
import { statusOf } from './status-of.ts';

/** `/b/{id}`: what several runners measure at once. */
export function batchLinks({ measurements: { batches }, clientDirectory }: AppParts): Router {
  return documentLinks(permalinkId, ['json'], async (id, format, _request, response) => {
    const found = batches.show(id);
    if (format === 'json') return void response.set('Cache-Control', 'no-store').json(await found);
    const status = await statusOf(found);
    if (status === 200) preload(response, `/batches/${id}`);
    await sendClient(response, clientDirectory, status, status === 200 ? previewOf(await found) : null);
  });
}

function previewOf({ title, sites }: Batch): Preview {
  const places = sites.map(({ labels }) => Object.values(labels).join(' ')).join(', ');
  return {
    title: `${title ?? 'Deleted measurements'} on ${sites.length} sites`,
    description: `Measured by TLS Toll: ${places}.`,
    image: null,
  };
}
