import { createHash } from 'node:crypto';
import type { Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import { drawDigest } from '../../base/text/digest-picture.ts';
import type { AppParts } from './app-parts.ts';
import { digestOfResult } from './digest-of-result.ts';
import { besideResult } from './links.ts';

/** `/r/{id}/og.png`: the top of a result as a picture, for what chats show of a link. It is asked for again each time, as a badge is. */
export function pictures({ results, pictures }: AppParts): Router {
  return besideResult('/:id/og.png', async (id, request, response) => {
    const result = await results.document(id);
    if (!result.final) {
      throw problem('run_unfinished', `It is ${result.document.state}. It has a picture once it has ended.`);
    }
    const svg = drawDigest(digestOfResult(result, await results.summary(id)));
    const hash = createHash('sha256').update(svg).digest('base64url');
    response.set({ 'Cache-Control': 'no-cache', ETag: `"${hash}"` }).type('png');
    // Other sites may show it.
    response.set('Cross-Origin-Resource-Policy', 'cross-origin');
    if (request.fresh) response.status(304).end();
    else response.send(await pictures.render(svg));
  });
}
