import { createHash } from 'node:crypto';
import { Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import { drawDigest } from '../../base/text/digest-picture.ts';
import type { AppParts } from './app-parts.ts';
import { digestOfResult } from './digest-of-result.ts';
import { refuseMethod } from './endpoint.ts';

/** `/r/{id}/og.png`: the top of a result as a picture, for what chats show of a link. It is asked for again each time, as a badge is. */
export function pictures({ measurements, pictures }: AppParts): Router {
  const router = Router();
  router.get('/:id/og.png', async (request, response, next) => {
    const { id } = request.params;
    if (!permalinkIdSchema.safeParse(id).success) return next('router');
    const result = await measurements.document(id);
    if (!result.final) {
      throw problem('run_unfinished', `It is ${result.document.state}. It has a picture once it has ended.`);
    }
    const svg = drawDigest(digestOfResult(result, await measurements.summary(id)));
    const hash = createHash('sha256').update(svg).digest('base64url');
    response.set({ 'Cache-Control': 'no-cache', ETag: `"${hash}"` }).type('png');
    // Other sites may show it.
    response.set('Cross-Origin-Resource-Policy', 'cross-origin');
    if (request.fresh) response.status(304).end();
    else response.send(await pictures.render(svg));
  });
  router.all('/:id/og.png', refuseMethod(['GET', 'HEAD']));
  return router;
}
