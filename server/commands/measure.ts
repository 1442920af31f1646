import type { LabelChange } from '../../shared/label.ts';
import type { AnyDocument, Kind } from '../measurement/kind.ts';
import type { ApiClient } from './api-client.ts';
import { eventPrinter } from './print-event.ts';
import { withDashboard } from './with-dashboard.ts';

type Judge<Document> = (document: Document) => Promise<number>;

type Format = 'json' | 'markdown' | 'terminal';

type Printed<Document extends AnyDocument> = Pick<
  Kind<unknown, unknown, unknown, Document, unknown>,
  'name' | 'documentSchema' | 'markdown' | 'terminal'
>;

/**
 * Has the dashboard measure it, which measures one thing at a time, follows it on stderr and prints what stands at the
 * permalink then. Resolves to the exit code: 0 finished, 2 refused, 1 failed or cancelled.
 *
 * @param label what to write on it
 * @param secretsFor asked once it is known where the request goes
 * @param judge says the exit code of one that has finished
 */
export function measure<Document extends AnyDocument>(
  kind: Printed<Document>,
  request: object,
  format: Format,
  {
    label = {},
    secretsFor = async () => ({}),
    judge = async () => 0,
  }: {
    label?: LabelChange;
    secretsFor?(api: ApiClient): Promise<Record<string, string>>;
    judge?: Judge<Document>;
  } = {},
): Promise<number> {
  const queue = async (api: ApiClient) => {
    const secrets = await secretsFor(api);
    return api.create({ ...request, kind: kind.name, secrets, label });
  };
  return begin(kind, format, queue, judge);
}

/** The same with one that ended early: it goes on where it was. */
export function resume<Document extends AnyDocument>(
  kind: Printed<Document>,
  id: string,
  format: Format,
): Promise<number> {
  return begin(
    kind,
    format,
    (api) => api.resume(id),
    async () => 0,
  );
}

function begin<Document extends AnyDocument>(
  kind: Printed<Document>,
  format: Format,
  queue: (api: ApiClient) => Promise<{ id: string; url: string }>,
  judge: Judge<Document>,
): Promise<number> {
  return withDashboard(async (api, url) => {
    const created = await queue(api);
    const text = await follow(api, created.id, created.url);
    if (url !== null) process.stderr.write(`Permalink: ${url}${created.url}\n`);
    const document = kind.documentSchema.parse(JSON.parse(text));
    process.stdout.write(format === 'json' ? `${text}\n` : kind[format](document));
    const { state, problem } = document;
    if (problem !== null) process.stderr.write(`${problem.detail}\n${problem.advice}\n`);
    if (state === 'finished') return judge(document);
    return state === 'refused' ? 2 : 1;
  });
}

/** Until the end, however it comes. A signal cancels, and what was measured is kept. */
async function follow(api: ApiClient, id: string, url: string): Promise<string> {
  const cancel = () => void api.cancel(id, true).catch(() => {});
  process.once('SIGINT', cancel);
  process.once('SIGTERM', cancel);
  try {
    const print = eventPrinter(process.stderr);
    for await (const event of api.events(id)) print(event);
    return await api.readDocument(url);
  } finally {
    process.off('SIGINT', cancel);
    process.off('SIGTERM', cancel);
  }
}
