import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import { printDigest } from '../../base/text/digest-page.ts';
import { fillPage, policyOf } from '../../base/text/page-file.ts';
import type { AppParts } from './app-parts.ts';
import { digestOfResult } from './digest-of-result.ts';
import { refuseMethod } from './endpoint.ts';
import { sendText } from './send-text.ts';

/** `/r/{id}.html` and `/l/{id}.html`: the page of a result as one file, which needs no server any more. */
export function pageFiles({ measurements, filePage }: AppParts): Router {
  const router = Router();
  router.get('/:id.html', async ({ params: { id } }, response, next) => {
    if (!permalinkIdSchema.safeParse(id).success) return next('router');
    const result = await measurements.document(id);
    if (!result.final) {
      throw problem('run_unfinished', `It is ${result.document.state}. It has a file once it has ended.`);
    }
    const shown = await measurements.readShown(id);
    const template = await readTemplate(filePage);
    const digest = digestOfResult(result, await measurements.summary(id));
    const content = fillPage(template, {
      title: digest.headline,
      summary: printDigest(digest, null),
      result: await pack({
        document: JSON.parse(await shown.text()),
        annotation: await measurements.annotation(id),
      }),
    });
    // The page names the scripts that it consists of, and the usual policy would let none of them run.
    const policy = policyOf(template);
    if (policy !== null) response.set('Content-Security-Policy', `${policy}; frame-ancestors 'none'`);
    await sendText(response, { id, format: 'html', content, final: true });
  });
  router.all('/:id.html', refuseMethod(['GET', 'HEAD']));
  return router;
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
