import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Response, Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import type { MeasurementState } from '../../../shared/measurement/measurement.ts';
import { printDigest } from '../../base/text/digest-page.ts';
import { fillPage, policyOf } from '../../base/text/page-file.ts';
import type { AppParts } from './app-parts.ts';
import { digestOfResult } from './digest-of-result.ts';
import { readExplanation } from './explanation.ts';
import { besideResult } from './links.ts';
import { sendText } from './send-text.ts';

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
      title: digest.headline,
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
export function demandOver(
  { final, document }: { final: boolean; document: { state: MeasurementState } },
  id: string | null,
): void {
  if (final) return;
  const subject = id === null ? 'It' : `The result ${id}`;
  throw problem('run_unfinished', `${subject} is ${document.state}. It has a file once it has ended.`);
}

/** What the page shows of a result: its document, and what is written on it. */
export async function readResult({ results }: AppParts, id: string) {
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
export async function sendPage(
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
