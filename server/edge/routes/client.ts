import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RequestHandler, type Response, Router } from 'express';
import expressStaticGzip from 'express-static-gzip';
import { docPages } from '../../../shared/base/addresses.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { VerdictOutcome } from '../../../shared/kinds/comparison/comparison.ts';
import { labPages } from '../../../shared/measurement/kind-names.ts';
import { headlineInOneLine, isOver } from '../../../shared/measurement/measurement.ts';
import type { MeasurementSummary } from '../../../shared/results/summary.ts';
import { identityMeta } from '../../../shared/team/role.ts';
import type { Identity } from '../../../shared/team/team.ts';
import { escapeMarkup, pictureSize } from '../../base/text/digest-picture.ts';
import { identityOf } from './actor.ts';
import type { AppParts } from './endpoint.ts';

/** Addresses that the client has a page for, besides the permalinks. */
const pages = [
  '/',
  '/results',
  '/examples',
  '/runs',
  '/runs/bin',
  '/runs/schedules',
  '/runners',
  '/sql',
  '/studies',
  '/targets',
  '/lab',
  ...labPages.map(({ path }) => path),
  '/lab/probe',
  '/lab/bill',
  '/scenarios',
  '/scenarios/:id',
  '/record',
  '/record/:sid',
  '/account',
  '/audit',
  '/docs',
  ...docPages.map(({ page }) => `/docs/${page}`),
];

/** Files of the built client that carry a hash in their name, so they never change. */
export function assets({ clientDirectory }: AppParts): RequestHandler {
  return sendCompressed(join(clientDirectory, 'assets'), { ...filesOnly, immutable: true, maxAge: '1y' });
}

/** The pages of the built client, and its other files. */
export function client({ clientDirectory }: AppParts): Router {
  const router = Router();
  router.get(pages, (_request, response) => sendClient(response, clientDirectory, 200));
  router.use(sendCompressed(clientDirectory, { ...filesOnly, setHeaders: askAgain }));
  return router;
}

type StaticOptions = NonNullable<NonNullable<Parameters<typeof expressStaticGzip>[1]>['serveStatic']>;

const filesOnly = { index: false, redirect: false } as const;

/** Files of the build in the form that the client takes: Brotli, gzip, or as they are. */
function sendCompressed(directory: string, serveStatic: StaticOptions): RequestHandler {
  const send = expressStaticGzip(directory, {
    ...{ enableBrotli: true, orderPreference: ['br', 'gz'], index: false },
    serveStatic,
  });
  return (request, response, next) => (isReadable(request.path) ? send(request, response, next) : next());
}

/** Whether the path can be decoded. serveStatic would reject any other in its own words. */
function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** The last stop: the client's own page for people, a problem for programs. */
export function unknownAddress({ clientDirectory }: AppParts): RequestHandler {
  return async (request, response, next) => {
    const isPage = ['GET', 'HEAD'].includes(request.method) && request.accepts(['json', 'html']) === 'html';
    if (isPage) return sendClient(response, clientDirectory, 404);
    next(problem('not_found', `There is nothing at ${request.path.slice(0, 200)}.`));
  };
}

export async function sendClient(
  response: Response,
  clientDirectory: string,
  status: number,
  preview: Preview | null = null,
): Promise<void> {
  const page = await readFile(join(clientDirectory, 'index.html'), 'utf8').catch(() => notBuilt);
  const html = preview === null ? page : withPreview(page, preview);
  const identity = identityOf(response);
  // A page that names its reader must not stay in the cache for the next person at this browser.
  response.set('Cache-Control', identity === null ? 'no-cache' : 'no-store');
  response
    .status(status)
    .type('html')
    .send(identity === null ? html : withIdentity(html, identity));
}

function askAgain(response: { setHeader(name: string, value: string): void }): void {
  response.setHeader('Cache-Control', 'no-cache');
}

const notBuilt =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>TLS Toll</title><p>The dashboard is not built yet. Run <code>npm run build</code>, then reload this page.</p></html>\n';

/** Preview of a link in a chat or a search engine. Source: ogp.me. */
export type Preview = {
  title: string;
  description: string;
  /** Whole address of its picture; null while there is none. */
  image: string | null;
};

/** Outcome of the headline of a run; null for other kinds, and without one. */
export function outcomeIn(summary: MeasurementSummary): VerdictOutcome | null {
  if (summary.kind !== 'comparison') return null;
  return summary.found?.outcome ?? summary.verdict?.outcome ?? null;
}

/**
 * The headline where there is one, otherwise what was measured and how far it is.
 * @param origin of this server, as the reader addresses it
 */
export function previewOf(summary: MeasurementSummary, origin: string): Preview {
  const { title, state, headline } = summary;
  const image = isOver(state) ? `${origin}${summary.url}/og.png` : null;
  if (headline === undefined) return { title, description: `Measured by TLS Toll: ${state}.`, image };
  const tls = summary.kind === 'comparison' ? summary.tls : undefined;
  const what = tls === undefined ? title : `${title}, ${tls}`;
  return {
    title: headlineInOneLine(headline),
    description: [
      ...(headline.third === undefined ? [] : [headline.third]),
      `${what}, measured by TLS Toll.`,
    ].join(' '),
    image,
  };
}

/** The client's page with a title and a description of its own. */
function withPreview(page: string, { title, description, image }: Preview): string {
  const tags = [
    `<title>${escapeMarkup(title)} · TLS Toll</title>`,
    `<meta property="og:title" content="${escapeMarkup(title)}" />`,
    `<meta property="og:description" content="${escapeMarkup(description)}" />`,
    '<meta property="og:site_name" content="TLS Toll" />',
    '<meta property="og:type" content="article" />',
    ...(image === null ? [] : tagsOfImage(image, title)),
  ];
  // A function, as a replacement text would give `$&` in a title a meaning.
  return page.replace('<title>TLS Toll</title>', () => tags.join('\n    '));
}

/** The page with what it may know of its reader, so that it need not ask. */
function withIdentity(page: string, identity: Identity): string {
  const tag = `<meta name="${identityMeta}" content="${escapeMarkup(JSON.stringify(identity))}" />`;
  return page.replace('<title>', () => `${tag}\n    <title>`);
}

function tagsOfImage(image: string, title: string): string[] {
  return [
    `<meta property="og:image" content="${escapeMarkup(image)}" />`,
    `<meta property="og:image:width" content="${pictureSize.width}" />`,
    `<meta property="og:image:height" content="${pictureSize.height}" />`,
    `<meta property="og:image:alt" content="${escapeMarkup(title)}" />`,
    '<meta name="twitter:card" content="summary_large_image" />',
  ];
}
