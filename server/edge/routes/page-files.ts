import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Response, Router } from 'express';
import { z } from 'zod';
import type { Environment } from '../../../shared/base/environment.ts';
import { problem } from '../../../shared/base/problem.ts';
import { bySide } from '../../../shared/base/transport.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import { loadClassOf } from '../../../shared/kinds/comparison/at-load.ts';
import { blockSchema } from '../../../shared/kinds/comparison/block.ts';
import type { VerdictOutcome } from '../../../shared/kinds/comparison/comparison.ts';
import { primaryMetrics } from '../../../shared/kinds/comparison/metric.ts';
import type { Past, RunOfQuestion } from '../../../shared/kinds/comparison/past.ts';
import { type RunFacts, runFactsSchema } from '../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../shared/kinds/comparison/run-request.ts';
import { serversOfSides } from '../../../shared/kinds/comparison/servers-of-sides.ts';
import type { MeasurementState } from '../../../shared/measurement/measurement.ts';
import { fillPage, policyOf, printDigest } from '../../base/text/digest-page.ts';
import { type Badge, drawDigest, printBadge } from '../../base/text/digest-picture.ts';
import type { EarlierRun, House } from '../../kinds/apparatus.ts';
import {
  betweenLaunchesPriors,
  betweenRunsPriors,
  differenceOf,
  movesBetweenRuns,
} from '../../kinds/comparison/analyse/pool-of-run.ts';
import { questionId } from '../../kinds/comparison/conduct/question-id.ts';
import { loadKeyParts, madeWith, openStored } from '../../kinds/comparison/series/question-of.ts';
import { listBlocks } from '../../life/database/events.ts';
import {
  deleteLoad,
  type EarlierRun as EarlierRow,
  findLoad,
  insertLoad,
  listEarlierRuns,
  listLaunchesVariances,
  listPreciseFigures,
  type PreciseFigure,
} from '../../life/database/figures.ts';
import { findMeasurement } from '../../life/database/measurements.ts';
import type { Database } from '../../life/database/open-database.ts';
import { errorAmongRuns } from '../../method/statistics/precision.ts';
import { installationId } from '../../targets/sampling/environment.ts';
import { foundIn, previewOf, sendClient } from './client.ts';
import { digestOfResult, originOf, readExplanation } from './measurements.ts';
import type { AppParts } from './open-metrics.ts';
import {
  besideResult,
  documentLinks,
  permalinkId,
  preload,
  sendDocument,
  sendText,
  statusOf,
} from './send-text.ts';

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

/** `/r/{id}/badge.svg`: the verdict as a small picture, for a README. It is asked for again each time, as a result may be deleted. */
export function badges({ results }: AppParts): Router {
  return besideResult('/:id/badge.svg', async (id, _request, response) => {
    const summary = await results.summary(id);
    const { verdict, tls } = foundIn(summary);
    const badge: Badge = {
      label: 'TLS Toll',
      message:
        verdict == null ? summary.state : [verdict.sentence, ...(tls === undefined ? [] : [tls])].join(', '),
      tone: verdict == null ? 'plain' : tones[verdict.outcome],
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
      const status = await statusOf(results.demandReadable(id));
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

type Asked = { request: RunRequest; facts: RunFacts };

/** Runs of any question from which a run may borrow the variance between launches. */
const mostLikeRuns = 30;
/** Of the same question. */
const mostOfQuestion = 50;

/** What the database knows for a run on this machine. */
export function openPast(
  database: Database,
  environment: Environment,
  machine = installationId(),
): Pick<Required<House>, 'past' | 'earlier' | 'loads'> {
  return {
    async past(asked) {
      const { request, facts } = asked;
      const earlier = await runsOfQuestion(database, asked);
      const { kind } = request.target;
      const made = madeWith({
        ...{ target: kind, environment, servers: serversOfSides(facts) },
        ...{ programs: facts.programs, departed: facts.departed },
        negotiated: bySide((side) => facts.preflight?.sides[side].tls ?? null),
      });
      const own = { ...made, atLoad: facts.atLoad ?? null };
      return {
        betweenLaunches: await betweenLaunchesOf(database, environment, asked),
        betweenRuns: movesBetweenRuns(kind) ? betweenRunsPriors(own, earlier, kind) : {},
        earlier,
      };
    },
    earlier: (id) => readEarlier(database, id, environment),
    loads: openLoads(database, environment, machine),
  };
}

async function readEarlier(database: Database, id: string, now: Environment): Promise<EarlierRun> {
  const record = await findMeasurement(database, id);
  const { startedAt = null, endedAt = null, environment = null } = record ?? {};
  if (record === null || startedAt === null || endedAt === null || environment === null)
    throw problem('run_not_found', `No finished measurement has the ID ${id}.`);
  const facts = runFactsSchema.safeParse(record.facts).data;
  const blocks = z.array(blockSchema).safeParse(await listBlocks(database, id)).data;
  if (facts === undefined || blocks === undefined)
    throw problem('not_continuable', 'It was made by an earlier version.');
  return { id, startedAt, endedAt, facts, blocks, environments: { before: environment, here: now } };
}

function hashOf(parts: string): string {
  return createHash('sha256').update(parts).digest('base64url').slice(0, 22);
}

/** Without an ID of the machine, loads are neither looked up nor stored. */
function openLoads(
  database: Database,
  environment: Environment,
  machine: string | null,
): NonNullable<House['loads']> {
  const keyOf = (asked: Asked) =>
    machine === null ? null : hashOf(loadKeyParts({ ...asked, environment, machine }));
  return {
    async find(asked) {
      const key = keyOf(asked);
      return key === null ? null : findLoad(database, key);
    },
    async insert(asked, { users, sides, runId }, replacing) {
      const key = keyOf(asked);
      if (key !== null) await insertLoad(database, key, { users, sides, runId, at: Date.now() }, replacing);
    },
    async delete(asked) {
      const key = keyOf(asked);
      if (key !== null) await deleteLoad(database, key);
    },
  };
}

async function betweenLaunchesOf(
  database: Database,
  environment: Environment,
  { request: { target }, facts: { atLoad } }: Asked,
): Promise<Past['betweenLaunches']> {
  if (atLoad === undefined || target.kind === 'origins') return {};
  const like = { targetKind: target.kind, loadClass: loadClassOf(atLoad) };
  return betweenLaunchesPriors(
    await listLaunchesVariances(database, environment, like, mostLikeRuns),
    target.kind,
  );
}

/** Oldest first. */
async function runsOfQuestion(database: Database, { request, facts }: Asked): Promise<RunOfQuestion[]> {
  const rows = await listEarlierRuns(database, questionId(request, facts.scenario), mostOfQuestion);
  // The run that it continues is part of it.
  const newest = rows.filter(({ id }) => id !== facts.continued?.id).toReversed();
  const ids = newest.map(({ id }) => id);
  const figures = Map.groupBy(await listPreciseFigures(database, ids, primaryMetrics), ({ id }) => id);
  return newest.flatMap((row) => {
    const opened = openStored(row);
    const found = figures.get(row.id) ?? [];
    return opened === null || found.length === 0 ? [] : [runOf(row, found, opened)];
  });
}

function runOf(
  { id, createdAt, environment }: EarlierRow,
  found: readonly PreciseFigure[],
  { request, atLoad, ...known }: NonNullable<ReturnType<typeof openStored>>,
): RunOfQuestion {
  return {
    ...{ id, createdAt, ...madeWith({ ...known, target: request.target.kind, environment }) },
    atLoad,
    metrics: Object.fromEntries(
      found.map(({ metric, ratio, difference: delta, error, widenings, baseline }) => {
        const widened = widenings.reduce((sum, by) => sum + by, 0);
        const among = errorAmongRuns({ withinError: error, widened });
        return [
          metric,
          {
            ...{ center: Math.log(ratio.center), error, baseline, widened },
            ...differenceOf({ delta, ratio, error: among }),
          },
        ];
      }),
    ),
  };
}
