import { createHash } from 'node:crypto';
import { type Response, Router } from 'express';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import {
  type FigureChanges,
  type ResultPair,
  type RunChanges,
  resultPairSchema,
} from '../../../shared/kinds/comparison/result-changes.ts';
import { type CellDocument, cellSideSchema } from '../../../shared/kinds/servers/servers-result.ts';
import { headlineInOneLine } from '../../../shared/measurement/measurement.ts';
import type { Batch } from '../../../shared/results/schedule.ts';
import { printDigestPage } from '../../base/text/digest-page.ts';
import { printMarkdown } from '../../base/text/report.ts';
import { reportOf } from '../../kinds/servers/cell-document.ts';
import { openRevision } from '../../life/recording/scenario-library.ts';
import { demandAccess } from './actor.ts';
import { type Preview, sendClient } from './client.ts';
import {
  besideResult,
  documentLinks,
  permalinkId,
  preload,
  sendText,
  statusOfLooking,
} from './document-answers.ts';
import type { AppParts } from './endpoint.ts';
import { digestOfResult, originOf } from './measurement-routes.ts';
import type { Metrics } from './open-metrics.ts';
import { findCell, readCell } from './recorder-socket.ts';

/** `/r/{id}/cells/{cell}`: a page for people, `.json`, and each side as `ab` would have printed it. */
export function cellLinks(parts: AppParts): Router {
  const { measurements, clientDirectory } = parts;
  const pages = besideResult('/:id/cells/:name', async (id, { params: { name = '' } }, response) => {
    const [, cell = '', suffix] = /^(.*?)(\.json)?$/.exec(name) ?? [];
    if (suffix === undefined) {
      const status = await statusOfLooking(findCell(measurements, id, cell));
      if (status === 200) preload(response, `/measurements/${id}/cells/${encodeURIComponent(cell)}`);
      return sendClient(response, clientDirectory, status);
    }
    const { document, final } = await readCell(measurements, id, cell);
    await sendText(response, {
      id: `${id}-${cell}`,
      format: 'json',
      content: JSON.stringify(document),
      final,
    });
  });

  const files = besideResult(
    '/:id/cells/:cell/:file',
    async (id, { params: { cell = '', file = '' }, query }, response) => {
      const side = cellSideSchema.safeParse(/^(\w+)\.ab\.txt$/.exec(file)?.[1]).data;
      if (side === undefined) return false;
      const { document, final } = await readCell(measurements, id, cell);
      const content = reportText(document, side, query.round);
      await sendText(response, { id: `${id}-${cell}-${side}`, format: 'ab.txt', content, final });
      return true;
    },
  );

  return Router().use(pages, files);
}

/** @param round from 1 on, as the query has it; the median one when it is left out */
function reportText(
  { result, visits, reports }: CellDocument,
  side: 'http' | 'https',
  round: unknown,
): string {
  const visit = visits.find((each) => String(each.round + 1) === round);
  const report =
    round === undefined
      ? reports[side]
      : visit === undefined
        ? null
        : reportOf(result.cell, visit, side, null);
  if (report !== null) return report.text;
  const which = round === undefined ? 'any round' : `round ${String(round).slice(0, 20)}`;
  throw problem('not_found', `What ab reports was not kept of ${which} of ${result.cell.id}.`);
}

/** `/c/{from}..{to}`: what changed between two results. For two sweeps it redirects to their overlay. */
export function changeLinks({ measurements, clientDirectory }: AppParts): Router {
  return documentLinks(
    `${permalinkId}\\.\\.${permalinkId}`,
    ['json', 'md'],
    async (name, format, _request, response) => {
      const pair = resultPairSchema.parse(name);
      if (format === 'html') return sendPage(pair, response);
      const { changes, report } = await measurements.changes(pair);
      const sent = { id: `${pair.from}-${pair.to}`, final: true };
      if (format === 'json') {
        return sendText(response, { ...sent, format: 'json', content: JSON.stringify(changes) });
      }
      if (report === null) {
        throw problem('not_acceptable', `Two sweeps are compared on their page only: ${changes.url}`);
      }
      await sendText(response, { ...sent, format: 'md', content: printMarkdown(report()) });
    },
  );

  /** The page gives the reason if two results cannot be compared. */
  async function sendPage(pair: ResultPair, response: Response): Promise<void> {
    try {
      const { changes } = await measurements.changes(pair);
      if ('url' in changes) return response.redirect(changes.url);
      preload(response, `/changes/${pair.from}..${pair.to}`);
      await sendClient(response, clientDirectory, 200, previewOf(changes));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      await sendClient(response, clientDirectory, error.problem.status);
    }
  }
}

function previewOf(changes: RunChanges | FigureChanges): Preview {
  const { third } = changes.headline;
  const facts = [...(third === undefined ? [] : [third]), `${changes.to.title}, compared by TLS Toll.`];
  return { title: headlineInOneLine(changes.headline), description: facts.join(' '), image: null };
}

/** `/b/{id}`: what several runners measure at once. */
export function batchLinks({ measurements: { batches }, clientDirectory }: AppParts): Router {
  return documentLinks(permalinkId, ['json'], async (id, format, _request, response) => {
    const found = batches.show(id);
    if (format === 'json') return void response.set('Cache-Control', 'no-store').json(await found);
    const status = await statusOfLooking(found);
    if (status === 200) preload(response, `/batches/${id}`);
    await sendClient(response, clientDirectory, status, status === 200 ? previewOfLinks(await found) : null);
  });
}

function previewOfLinks({ title, sites }: Batch): Preview {
  const places = sites.map(({ labels }) => Object.values(labels).join(' ')).join(', ');
  return {
    title: `${title ?? 'Deleted runs'} on ${sites.length} sites`,
    description: `Measured by TLS Toll: ${places}.`,
    image: null,
  };
}

/** `/s/{id}`: a revision of a scenario. It never changes, but it may be deleted, so it is asked for again each time. */
export function revisionLinks({ database, clientDirectory }: AppParts): Router {
  return documentLinks(permalinkId, ['json'], async (id, format, _request, response) => {
    const found = openRevision(database, id);
    if (format === 'html') return sendClient(response, clientDirectory, await statusOfLooking(found));
    const text = `${JSON.stringify(await found, null, 2)}\n`;
    const tag = createHash('sha256').update(text).digest('base64url');
    response
      .set({ 'Cache-Control': 'no-cache', ETag: `"${tag}"` })
      .type('json')
      .send(text);
  });
}

/** Only some kinds have these. */
const suffixes = ['folded', 'speedscope.json'] as const;

/** `/l/{id}.folded` and `/l/{id}.speedscope.json`: stacks, for tools that draw them. */
export function otherForms({ results }: AppParts): Router {
  const router = Router();
  for (const format of suffixes) {
    router.use(
      besideResult(`/:id.${format}`, async (id, _request, response) => {
        const { form, final } = await results.document(id);
        const content = form(format);
        if (content === null) return false;
        await sendText(response, { id, format, content, final });
      }),
    );
  }
  return router;
}

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

/** `/api/openapi.json`, and the client's page over it at `/api/docs`. */
export function documentation({ version, clientDirectory }: AppParts): Router {
  const router = Router();
  let text: string | null = null;
  router.get('/openapi.json', async (_request, response) => {
    // Describing every schema takes a sixth of a start, and most servers are never asked.
    const { openApi } = await import('./openapi.ts');
    text ??= JSON.stringify(openApi(version));
    response.set('Cache-Control', 'no-cache').type('json').send(text);
  });
  router.get('/docs', (_request, response) => sendClient(response, clientDirectory, 200));
  return router;
}

/** `/metrics`, for Prometheus. */
export function metrics({ read }: Metrics): Router {
  const router = Router();
  router.get('/', async (request, response) => {
    demandAccess('reader', request, response);
    const { text, mediaType } = await read();
    response.set({ 'Cache-Control': 'no-store', 'Content-Type': mediaType }).send(text);
  });
  return router;
}
