import { type Request, type Response, Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import { listed } from '../../../shared/words/listed.ts';
import { refuseMethod } from './endpoint.ts';

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
 * @param name the pattern of what stands before the suffix
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
 * What stands beside a result: one thing below its address.
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
