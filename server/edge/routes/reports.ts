import type { Router } from 'express';
import type { Digest, DigestCard } from '../../../shared/words/digest/digest.ts';
import { printDigest } from '../../base/text/digest-page.ts';
import { escapeMarkup } from '../../base/text/escape-markup.ts';
import type { AppParts } from './app-parts.ts';
import { digestOfResult } from './digest-of-result.ts';
import { serveRaw } from './endpoint.ts';
import { demandOver, readResult, sendPage } from './page-files.ts';

const usualTitle = 'Measured with TLS Toll';

/** Several results as one file: a title page, and the page of each result below it. */
export function reports(router: Router, parts: AppParts): void {
  const { results } = parts;

  serveRaw(router, 'saveReport', async ({ query: { ids, title } }, _request, response) => {
    const heading = title === '' ? usualTitle : title;
    const found: { digest: Digest; saved: object }[] = [];
    for (const id of ids) {
      const result = await results.document(id);
      demandOver(result, id);
      const digest = digestOfResult(result, await results.summary(id));
      found.push({ digest, saved: await readResult(parts, id) });
    }
    response.attachment('tls-toll-report.html').set('Cache-Control', 'no-store');
    await sendPage(parts, response, {
      title: heading,
      summary: [
        `<h1>${escapeMarkup(heading)}</h1>`,
        ...found.map(({ digest }) => printDigest(digest, null)),
      ].join('\n'),
      saved: {
        title: heading,
        madeAt: Date.now(),
        results: found.map(({ digest, saved }) => ({ ...saved, line: lineOf(digest) })),
      },
      send: (content) => response.set('Content-Type', 'text/html; charset=utf-8').send(content),
    });
  });
}

/** What the title page says of a result. */
function lineOf({ headline, setting, compared }: Digest) {
  const [first] = compared?.cards ?? [];
  return { headline, setting, figure: first === undefined ? null : figureOf(first) };
}

/** `Server CPU per transaction at load: +14 % (95 % CI +12 to +16 %)`; null of one that was refused. */
function figureOf({ title, change, range, real }: DigestCard): string | null {
  if (range === '') return null;
  return `${title}: ${real ? `${change} (95 % CI ${range})` : `95 % CI ${change}`}`;
}
