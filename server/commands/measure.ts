import { blankLabel, changeLabel, type Label, type LabelChange } from '../../shared/label.ts';
import { problem } from '../../shared/problem.ts';
import type { Labels } from '../../shared/runner.ts';
import type { AnyDocument, Kind } from '../measurement/kind.ts';
import { addLabel } from '../text/label-markdown.ts';
import type { ApiClient } from './api-client.ts';
import { eventPrinter } from './print-event.ts';
import { printRepeat, type Repeat } from './repeat-options.ts';
import { withDashboard } from './with-dashboard.ts';
import { writeText } from './write-text.ts';

type Judge<Document> = (document: Document) => Promise<number>;

type Told<Document> = (document: Document) => void;

/** What is done once it has ended. */
type Ending<Document> = {
  /** What is written on it: a report has it, a document never does. */
  label: Label;
  judge: Judge<Document>;
  htmlPath: string | null;
  repeat: Repeat | null;
  told: Told<Document> | null;
};

/** `link` is null where it leads nowhere once the command has ended, `title` where nobody gave one. */
type Format<Document> =
  | 'json'
  | 'markdown'
  | 'terminal'
  | ((document: Document, beside: { link: string | null; title: string | null }) => string);

type Printed<Document extends AnyDocument> = Pick<
  Kind<unknown, unknown, unknown, Document, unknown>,
  'name' | 'documentSchema' | 'markdown' | 'terminal'
>;

/**
 * Has the dashboard measure it, which measures one thing at a time, follows it on stderr and prints what stands at the
 * permalink then. Resolves to the exit code: 0 finished, 2 refused, 1 failed or cancelled.
 *
 * @param label what to write on it
 * @param labels of the runner that is to measure
 * @param secretsFor asked once it is known where the request goes
 * @param judge says the exit code of one that has finished
 * @param htmlPath file that its page is written to as well
 * @param repeat how often it is measured again, once it has finished
 * @param told says more of it on stderr, however it ended
 */
export function measure<Document extends AnyDocument>(
  kind: Printed<Document>,
  request: object,
  format: Format<Document>,
  {
    label = {},
    labels,
    secretsFor = async () => ({}),
    judge = async () => 0,
    htmlPath = null,
    repeat = null,
    told = null,
  }: {
    label?: LabelChange;
    labels?: Labels | undefined;
    secretsFor?(api: ApiClient): Promise<Record<string, string>>;
    judge?: Judge<Document>;
    htmlPath?: string | null;
    repeat?: Repeat | null;
    told?: Told<Document> | null;
  } = {},
): Promise<number> {
  const queue = async (api: ApiClient) => {
    const secrets = await secretsFor(api);
    return api.create({ ...request, kind: kind.name, secrets, label, ...(labels && { labels }) });
  };
  return begin(kind, format, queue, {
    ...{ label: changeLabel(blankLabel, label), judge, htmlPath, repeat, told },
  });
}

/** The same with one that ended early: it goes on where it was. */
export function resume<Document extends AnyDocument>(
  kind: Printed<Document>,
  id: string,
  format: Format<Document>,
): Promise<number> {
  return begin(kind, format, (api) => api.resume(id), {
    ...{ label: blankLabel, judge: async () => 0, htmlPath: null, repeat: null, told: null },
  });
}

function begin<Document extends AnyDocument>(
  kind: Printed<Document>,
  format: Format<Document>,
  queue: (api: ApiClient) => Promise<{ id: string; url: string }>,
  { label, judge, htmlPath, repeat, told }: Ending<Document>,
): Promise<number> {
  return withDashboard(async (api, url) => {
    if (repeat !== null && url === null) {
      throw problem('dashboard_missing', 'Measurements are repeated by the dashboard, and none is running.');
    }
    const created = await queue(api);
    const text = await follow(api, created.id, created.url);
    const link = url === null ? null : `${url}${created.url}`;
    if (link !== null) process.stderr.write(`Permalink: ${link}\n`);
    const document = kind.documentSchema.parse(JSON.parse(text));
    const prints = {
      json: () => `${text}\n`,
      markdown: () => addLabel(kind.markdown(document), label),
      terminal: () => kind.terminal(document),
    };
    const print = typeof format === 'function' ? format : prints[format];
    process.stdout.write(print(document, { link, title: label.title }));
    if (htmlPath !== null) writeText(htmlPath, await api.readPage(created.url), '--html');
    told?.(document);
    const { state, problem: why } = document;
    if (why !== null) process.stderr.write(`${why.detail}\n${why.advice}\n`);
    if (state === 'finished') {
      if (repeat !== null) {
        process.stderr.write(printRepeat(await api.createSchedule({ of: created.id, ...repeat })));
      }
      return judge(document);
    }
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
