import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Response, Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import type { VerdictOutcome } from '../../../shared/kinds/comparison/comparison.ts';
import { headlineInOneLine, type MeasurementState } from '../../../shared/measurement/measurement.ts';
import type { Digest } from '../../../shared/words/digest.ts';
import { fillPage, policyOf, printDigest } from '../../base/text/digest-page.ts';
import { type Badge, drawDigest, escapeMarkup, printBadge } from '../../base/text/digest-picture.ts';
import { outcomeIn, previewOf, sendClient } from './client.ts';
import {
  besideResult,
  documentLinks,
  permalinkId,
  preload,
  sendDocument,
  sendText,
  statusOfLooking,
} from './document-answers.ts';
import { type AppParts, serveRaw } from './endpoint.ts';
import { digestOfResult, originOf, readExplanation } from './measurement-routes.ts';

/**
 * `/r/{id}.html` and `/l/{id}.html`: the page of a result as one file, which needs no server any more. With `?explain={id}`, that of a run has
 * where its CPU goes.
 */
export function pageFiles(parts: AppParts): Router {
  const { results } = parts;
  return besideResult('/:id.html', async (id, request, response) => {
    const result = await results.document(id);
    demandOver(result, null);
    const digest = digestOfResult(result, await results.summary(id));
    const { data: explain } = permalinkIdSchema.safeParse(request.query.explain);
    const explained = explain === undefined ? {} : { explained: await readExplanation(parts, id, explain) };
    await sendPage(parts, response, {
      title: headlineInOneLine(digest.headline),
      summary: printDigest(digest, null),
      saved: { ...(await readResult(parts, id)), ...explained },
      send: (content) => sendText(response, { id, format: 'html', content, final: true }),
    });
  });
}

/**
 * Throws run_unfinished.
 * @param id where several were asked for
 */
function demandOver(
  { final, document }: { final: boolean; document: { state: MeasurementState } },
  id: string | null,
): void {
  if (final) return;
  const subject = id === null ? 'It' : `The result ${id}`;
  throw problem('run_unfinished', `${subject} is ${document.state}. It has a file once it has ended.`);
}

/** Document and annotation of a result, for its page. */
async function readResult({ results }: AppParts, id: string) {
  const shown = await results.readShown(id);
  return {
    document: JSON.parse(await shown.text()) as object,
    annotation: await results.annotation(id),
  };
}

type Page = {
  title: string;
  /** HTML, for who has no JavaScript. */
  summary: string;
  saved: object;
  send(content: string): unknown;
};

/** The page names the scripts that it consists of, and the usual policy would let none of them run. Throws client_not_built. */
async function sendPage(
  { filePage }: AppParts,
  response: Response,
  { title, summary, saved, send }: Page,
): Promise<void> {
  const template = await readTemplate(filePage);
  const content = fillPage(template, { title, summary, result: await pack(saved) });
  const policy = policyOf(template);
  if (policy !== null) response.set('Content-Security-Policy', `${policy}; frame-ancestors 'none'`);
  await send(content);
}

async function readTemplate(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw problem('client_not_built', 'The page that results are put into is not there.', { cause: error });
  }
}

async function pack(result: object): Promise<string> {
  const packed = await promisify(gzip)(JSON.stringify(result), { level: 9 });
  return packed.toString('base64');
}

/** `/r/{id}/badge.svg`: the verdict as a small picture, for a README. It is asked for again each time, as a result may be deleted. */
export function badges({ results }: AppParts): Router {
  return besideResult('/:id/badge.svg', async (id, _request, response) => {
    const summary = await results.summary(id);
    const { headline, state } = summary;
    const outcome = outcomeIn(summary);
    const badge: Badge = {
      label: 'TLS Toll',
      message: headline === undefined ? state : headlineInOneLine(headline),
      tone: outcome === null ? 'plain' : tones[outcome],
    };
    response.set({ 'Cache-Control': 'no-cache', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    response.type('svg').send(printBadge(badge));
  });
}

const tones: Record<VerdictOutcome, Badge['tone']> = {
  overhead: 'costly',
  no_overhead: 'good',
  inconclusive: 'plain',
  not_tested: 'plain',
  refused: 'plain',
};

const others = ['json', 'csv', 'jsonl', 'parquet', 'md'] as const;

/** `/r/{id}` and `/l/{id}`. */
export function permalinks({ results, clientDirectory }: AppParts): Router {
  return documentLinks(permalinkId, others, async (id, format, request, response) => {
    if (format === 'html') {
      const status = await statusOfLooking(results.demandReadable(id));
      if (status === 200) preload(response, `/measurements/${id}/page`);
      const preview = status === 200 ? previewOf(await results.summary(id), originOf(request)) : null;
      return sendClient(response, clientDirectory, status, preview);
    }
    if (format === 'json') return sendDocument(response, id, await results.readDocument(id));
    await sendText(response, { id, format, ...(await results.print(id, format)) });
  });
}

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
        results: found.map(({ digest, saved }) => ({ ...saved, line: printTitleLine(digest) })),
      },
      send: (content) => response.set('Content-Type', 'text/html; charset=utf-8').send(content),
    });
  });
}

/** Line of the title page about a result. */
function printTitleLine({ headline: { title, second }, setting }: Digest) {
  return { title, second, setting };
}
