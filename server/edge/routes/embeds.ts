import type { Router } from 'express';
import { printDigestPage } from '../../base/text/digest-page.ts';
import type { AppParts } from './app-parts.ts';
import { digestOfResult } from './digest-of-result.ts';
import { besideResult } from './links.ts';
import { originOf } from './origin-of.ts';

/** Any page may show it in a frame. It has no script, form or cookie that another page could misuse. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *";

/** `/r/{id}/embed`: the top of a result for a frame in a wiki or a dashboard, with a link to all of it. */
export function embeds({ results }: AppParts): Router {
  return besideResult('/:id/embed', async (id, request, response) => {
    const summary = await results.summary(id);
    const digest = digestOfResult(await results.document(id), summary);
    response.removeHeader('X-Frame-Options');
    response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' });
    response.type('html').send(printDigestPage(digest, `${originOf(request)}${summary.url}`));
  });
}
