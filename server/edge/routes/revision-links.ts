import { createHash } from 'node:crypto';
import type { Router } from 'express';
import { openRevision } from '../../life/library/scenario-library.ts';
import type { AppParts } from './app-parts.ts';
import { sendClient } from './client.ts';
import { documentLinks, permalinkId } from './links.ts';
import { statusOf } from './status-of.ts';

/** `/s/{id}`: a revision of a scenario. It never changes, but it may be deleted, so it is asked for again each time. */
export function revisionLinks({ database, clientDirectory }: AppParts): Router {
  return documentLinks(permalinkId, ['json'], async (id, format, _request, response) => {
    const found = openRevision(database, id);
    if (format === 'html') return sendClient(response, clientDirectory, await statusOf(found));
    const text = `${JSON.stringify(await found, null, 2)}\n`;
    const tag = createHash('sha256').update(text).digest('base64url');
    response
      .set({ 'Cache-Control': 'no-cache', ETag: `"${tag}"` })
      .type('json')
      .send(text);
  });
}
