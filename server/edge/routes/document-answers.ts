import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Request, type Response, Router } from 'express';
import { apiPrefix } from '../../../shared/base/addresses.ts';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import { listed } from '../../../shared/words/example-words.ts';
import type { DocumentText, PrintFormat } from '../../life/measurement/asked-measurements.ts';
import { refuseMethod } from './endpoint.ts';

type DocumentFormat = 'json' | PrintFormat;
/** With what is sent of a part of a document, and with its page. */
type TextFormat = DocumentFormat | 'ab.txt' | 'html' | 'folded' | 'speedscope.json';

const mediaTypes: Record<TextFormat, string> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  md: 'text/markdown; charset=utf-8',
  'ab.txt': 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
  folded: 'text/plain; charset=utf-8',
  'speedscope.json': 'application/json; charset=utf-8',
};

type Sent = { id: string; format: TextFormat; content: string | Uint8Array; final: boolean };

/**
 * A document, the same bytes by whatever address, compressed where the client takes that. A final one has a strong ETag, one
 * for each form, and is asked for again each time, as it may have been deleted; one that still grows is not kept at all.
 */
export async function sendText(response: Response, { id, format, content, final }: Sent): Promise<void> {
  const { req: request } = response;
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content);
  const encoding = bytes.length < smallBytes ? null : encodingFor(request);
  setDocumentHeaders(response, { id, format }, final ? strongEntityTag(bytes, encoding) : null);
  if (request.fresh || encoding === null) response.send(bytes);
  else response.set('Content-Encoding', encoding).send(await compressors[encoding](bytes));
}

/** The same for a measurement's document, as it is stored where the client takes that: a sweep has megabytes. */
export async function sendDocument(
  response: Response,
  id: string,
  { text, packed, final }: DocumentText,
): Promise<void> {
  if (packed === null || encodingFor(response.req) !== 'br') {
    return sendText(response, { id, format: 'json', content: await text(), final });
  }
  setDocumentHeaders(response, { id, format: 'json' }, strongEntityTag(packed, 'br'));
  if (!response.req.fresh) response.set('Content-Encoding', 'br');
  response.send(Buffer.from(packed));
}

function setDocumentHeaders(
  response: Response,
  { id, format }: Pick<Sent, 'id' | 'format'>,
  etag: string | null,
) {
  response.set('Content-Type', mediaTypes[format]).vary('Accept-Encoding');
  if (response.req.query.download !== undefined) {
    response.set('Content-Disposition', `attachment; filename="tls-toll-${id}.${format}"`);
  }
  if (etag === null) response.set('Cache-Control', 'no-store');
  else response.set({ 'Cache-Control': 'no-cache', ETag: etag });
}

/** The better one first. */
const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number];

/** Fast rather than small: this happens while somebody waits. */
const compressors: Record<Encoding, (bytes: Uint8Array) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** Less than this fits into a packet or two as it is. */
const smallBytes = 2000;

function encodingFor(request: Request): Encoding | null {
  if (request.headers['accept-encoding'] === undefined) return null;
  return encodings.find((encoding) => request.acceptsEncodings(encoding) === encoding) ?? null;
}

function strongEntityTag(bytes: Uint8Array, encoding: Encoding | null): string {
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`;
}

/** The best one first. */
const formats = {
  html: { type: 'text/html', title: 'a page' },
  json: { type: 'application/json', title: 'JSON' },
  csv: { type: 'text/csv', title: 'CSV' },
  jsonl: { type: 'application/jsonl', title: 'JSON Lines' },
  parquet: { type: 'application/vnd.apache.parquet', title: 'Parquet' },
  md: { type: 'text/markdown', title: 'Markdown' },
};
type Format = keyof typeof formats;

/** The pattern of an ID. */
export const permalinkId = '[0-9A-Za-z]{22}';

type Linked = Request<Record<string, string>>;

/**
 * Permalinks of documents: a page for people, and other formats by suffix, or by Accept on the bare address. What is no such name
 * is left to other routes.
 * @param name pattern of the part before the suffix
 */
export function documentLinks<Other extends Exclude<Format, 'html'>>(
  name: string,
  others: readonly Other[],
  show: (id: string, format: Other | 'html', request: Linked, response: Response) => Promise<void>,
): Router {
  const link = new RegExp(`^(${name})(?:\\.(${others.join('|')}))?$`);
  const offered = ['html' as const, ...others];
  return linksAt('/:name', async (request, response) => {
    const [, id, suffix] = link.exec(request.params.name ?? '') ?? [];
    if (id === undefined) return false;
    if (suffix === undefined) response.vary('Accept');
    const format = suffix === undefined ? negotiate(request, offered) : (suffix as Other);
    return show(id, format, request, response);
  });
}

/**
 * Route of one thing below a result's address.
 * @param show false for what is left to other routes
 */
export function besideResult(
  path: `/:id${string}`,
  show: (id: string, request: Linked, response: Response) => Promise<unknown>,
): Router {
  return linksAt(path, async (request, response) => {
    const { data: id } = permalinkIdSchema.safeParse(request.params.id);
    return id === undefined ? false : show(id, request, response);
  });
}

function linksAt(path: string, show: (request: Linked, response: Response) => Promise<unknown>): Router {
  const router = Router();
  router.get<Linked['params']>(path, async (request, response, next) => {
    if ((await show(request, response)) === false) next('router');
  });
  router.all(path, refuseMethod(['GET', 'HEAD']));
  return router;
}

/** Throws not_acceptable. */
function negotiate<Offered extends Format>(request: Linked, offered: readonly Offered[]): Offered {
  const type = request.accepts(offered.map((each) => formats[each].type));
  const format = offered.find((each) => formats[each].type === type);
  if (format !== undefined) return format;
  throw problem('not_acceptable', `Available: ${listed(offered.map((each) => formats[each].title))}.`);
}

/** For a page, which explains by itself why there is nothing; the status says the same to everyone else. */
export async function statusOfLooking(looking: Promise<unknown>): Promise<number> {
  try {
    await looking;
    return 200;
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.status;
    throw error;
  }
}

/** Has the browser fetch what a page will ask for while its scripts are still read. Source: RFC 8288, W3C Preload. */
export function preload(response: Response, path: `/${string}`): void {
  response.append('Link', `<${apiPrefix}${path}>; rel=preload; as=fetch; crossorigin`);
}
