import { batchEndpoints } from '../../../shared/api/batch-endpoints.ts';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { scheduleEndpoints } from '../../../shared/api/schedule-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import {
  type AnnotationChange,
  blankAnnotation,
  changeAnnotation,
} from '../../../shared/measurement/annotation.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import type { AnyDocument } from '../../kinds/kind.ts';
import type { ApiClient } from './api-client.ts';
import { follow } from './follow.ts';
import { followSites } from './measure-at-sites.ts';
import { type Ending, type Format, type Printed, printResult } from './print-result.ts';
import { printRepeat, type Repeat } from './repeat-options.ts';
import { withDashboard } from './with-dashboard.ts';
import { writeText } from './write-text.ts';

/** What is done with one result besides. */
type EndingOfOne<Document> = Ending<Document> & { htmlPath: string | null; repeat: Repeat | null };

/** `url` is that of a dashboard that stays; null for one that ends with the command. */
type Place = { api: ApiClient; url: string | null };

/**
 * Has the dashboard measure it, which measures one thing at a time, follows it on stderr and prints what stands at the
 * permalink then. Resolves to the exit code: 0 finished, 2 refused, 1 failed or cancelled.
 *
 * @param annotation what to write on it
 * @param labels of the runner that is to measure; of several sets, each has it measured on a runner of its own
 * @param secretsFor asked once it is known where the request goes
 * @param judge says the exit code of one that has finished
 * @param htmlPath file that its page is written to as well, and `repeat` how often it is measured again, once it has finished;
 *   both for one set of labels only
 * @param told says more of it on stderr, however it ended
 */
export function measure<Document extends AnyDocument>(
  kind: Printed<Document>,
  request: object,
  format: Format<Document>,
  {
    annotation = {},
    labels = [],
    secretsFor = async () => ({}),
    judge = async () => 0,
    htmlPath = null,
    repeat = null,
    told = null,
  }: {
    annotation?: AnnotationChange;
    labels?: readonly Labels[] | undefined;
    secretsFor?(api: ApiClient): Promise<Record<string, string>>;
  } & Partial<Omit<EndingOfOne<Document>, 'annotation'>> = {},
): Promise<number> {
  return withDashboard(async (api, url) => {
    if (repeat !== null && url === null) {
      throw problem('dashboard_missing', 'Measurements are repeated by the dashboard, and none is running.');
    }
    const asked = { ...request, kind: kind.name, secrets: await secretsFor(api), annotation };
    const ending = {
      annotation: changeAnnotation(blankAnnotation, annotation),
      judge,
      htmlPath,
      repeat,
      told,
    };
    const place = { api, url };
    if (labels.length > 1) {
      return followSites(
        kind,
        format,
        await api.call(batchEndpoints.createBatch, { body: { ...asked, labels: [...labels] } }),
        ending,
        place,
      );
    }
    const [only] = labels;
    const created = await api.call(measurementEndpoints.createMeasurement, {
      body: { ...asked, ...(only && { labels: only }) },
    });
    return followOne(kind, format, created, ending, place);
  });
}

/** The same with one that ended early: it goes on where it was. */
export function resume<Document extends AnyDocument>(
  kind: Printed<Document>,
  id: string,
  format: Format<Document>,
): Promise<number> {
  const ending = {
    annotation: blankAnnotation,
    judge: async () => 0,
    htmlPath: null,
    repeat: null,
    told: null,
  };
  return withDashboard(async (api, url) => {
    return followOne(
      kind,
      format,
      await api.call(measurementEndpoints.resumeMeasurement, { params: { id } }),
      ending,
      { api, url },
    );
  });
}

async function followOne<Document extends AnyDocument>(
  kind: Printed<Document>,
  format: Format<Document>,
  created: { id: string; url: string },
  { annotation, judge, htmlPath, repeat, told }: EndingOfOne<Document>,
  { api, url }: Place,
): Promise<number> {
  const text = await follow(api, created.id, created.url);
  const link = url === null ? null : `${url}${created.url}`;
  if (link !== null) process.stderr.write(`Permalink: ${link}\n`);
  const document = kind.documentSchema.parse(JSON.parse(text));
  process.stdout.write(printResult(kind, format, { text, document }, { link, annotation }));
  if (htmlPath !== null) writeText(htmlPath, await api.readPage(created.url), '--html');
  told?.(document);
  const { state, problem: why } = document;
  if (why !== null) process.stderr.write(`${why.detail}\n${why.advice}\n`);
  if (state === 'finished') {
    if (repeat !== null) {
      const { schedule } = await api.call(scheduleEndpoints.createSchedule, {
        body: { of: created.id, ...repeat },
      });
      process.stderr.write(printRepeat(schedule));
    }
    return judge(document);
  }
  return state === 'refused' ? 2 : 1;
}
