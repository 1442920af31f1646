import type { Router } from 'express';
import { environmentSchema } from '../../../shared/base/environment.ts';
import { excludes, mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import { problem, problemAt } from '../../../shared/base/problem.ts';
import { type MetricId, metricIds, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { Series } from '../../../shared/kinds/comparison/past.ts';
import type { RunFacts } from '../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../shared/kinds/comparison/run-request.ts';
import {
  type NewestLists,
  type PricesRequest,
  pricesRequestSchema,
  prices as pricesSchemas,
} from '../../../shared/kinds/prices/prices.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { negotiatedWords } from '../../../shared/words/negotiated-words.ts';
import { targetNameOf, titleOfRun } from '../../../shared/words/side-words.ts';
import { openLoadOf, openStored, questionOf } from '../../kinds/comparison/asked-question.ts';
import { questionId } from '../../kinds/comparison/kind.ts';
import { type StoredRun, seriesOf } from '../../kinds/comparison/run-series.ts';
import { listQuestion } from '../../kinds/prices/kind.ts';
import {
  listPinned,
  listSeriesRows,
  type PinnedRow,
  pinBaseline,
  type SeriesRow,
  unpinBaseline,
} from '../../life/database/figures.ts';
import type { Database } from '../../life/database/open-database.ts';
import { listPriceRows, type PriceRow } from '../../life/database/price-figures.ts';
import type { Measurements } from '../../life/measurement/asked-measurements.ts';
import { type AppParts, serve } from './endpoint.ts';

/** Runs with the same target, scenario, transports and plan, or price lists of one server, and the one that is pinned as their baseline. */
export function series(router: Router, { measurements, database }: AppParts): void {
  serve(router, 'showSeries', ({ params: { id }, query: { metric } }) =>
    readSeries(measurements, database, id, metric),
  );

  serve(router, 'pinBaseline', async ({ params: { id } }) => {
    const { demandFinished, listPins } = await openSeries(measurements, database, id);
    demandFinished();
    const earlier = (await listPins()).map((pin) => pin.id);
    await pinBaseline(database, id, Date.now(), earlier);
    return null;
  });

  serve(router, 'listPrices', async ({ params: { id } }) => {
    const { frame } = await measurements.kept(id);
    return newestLists(database, frame.environment?.machine);
  });

  serve(router, 'unpinBaseline', async ({ params: { id } }) => {
    await measurements.summary(id);
    await unpinBaseline(database, id);
    return null;
  });
}

/** The series that a run or a price list belongs to. Throws run_not_found, run_deleted, run_binned, not_found, invalid_request. */
async function readSeries(
  measurements: Measurements,
  database: Database,
  id: string,
  asked: string | undefined,
): Promise<Series> {
  const { title, listRuns, listPins } = await openSeries(measurements, database, id);
  const baseline = (await listPins()).find(({ isBinned }) => !isBinned)?.id ?? null;
  return { title, ...(await listRuns(asked)), baseline };
}

/** Then it is another figure at another rate, and without one. */
function isReadInOpenLoad(metric: MetricId): boolean {
  return metricOf(metric).points.includes('steady');
}

type OpenedSeries = {
  title: string;
  /** @param asked ID of a metric, or of an item */
  listRuns(asked: string | undefined): Promise<Omit<Series, 'title' | 'baseline'>>;
  /** Pinned ones, the newest pin first, with those in the bin. The first that is not in the bin is the baseline. */
  listPins(): Promise<PinnedRow[]>;
  /** Throws results_not_comparable. */
  demandFinished(): void;
};

/** Throws as above. */
async function openSeries(measurements: Measurements, database: Database, id: string): Promise<OpenedSeries> {
  const { kind } = await measurements.summary(id);
  if (kind !== 'comparison' && kind !== 'prices')
    throw problem('not_found', 'Only runs and price lists form series.');
  const { frame, facts } = await measurements.kept(id);
  const demandFinished = () => {
    if (frame.state === 'finished') return;
    const what = kind === 'prices' ? 'price list' : 'run';
    throw problem(
      'results_not_comparable',
      `This ${what} is ${frame.state}. Only a finished one can be a baseline.`,
    );
  };
  const opened =
    kind === 'prices'
      ? listsOf(database, frame.request as PricesRequest)
      : runsOf(database, frame.request as RunRequest, facts as RunFacts);
  return { ...opened, demandFinished };
}

/** The runs of a question. */
function runsOf(
  database: Database,
  request: RunRequest,
  { scenario, plan }: RunFacts,
): Omit<OpenedSeries, 'demandFinished'> {
  const asked = questionOf(request, scenario);
  const openLoad = openLoadOf(request, plan);
  return {
    title: titleOfRun({ ...request, scenario }),
    async listRuns(name = 'cpu_at_load') {
      const metric = metricIds.find((each) => each === name);
      if (metric === undefined)
        throw problemAt('invalid_request', 'metric', `a metric is one of ${metricIds.join(', ')}`);
      const rows = await listSeriesRows(database, questionId(request, scenario), metric);
      const runs = rows.flatMap((row) => storedRunOf(row, isReadInOpenLoad(metric) ? openLoad : null) ?? []);
      return { metric, ...seriesOf(runs) };
    },
    async listPins() {
      const pinned = await listPinned(database, targetNameOf(request));
      return pinned.filter((row) => openStored(row)?.question === asked);
    },
  };
}

/** The price lists of a server with its options. */
function listsOf(database: Database, request: PricesRequest): Omit<OpenedSeries, 'demandFinished'> {
  const question = listQuestion(request);
  const { name } = factsOf(request.target);
  return {
    title: `Prices of ${name}`,
    async listRuns(item = 'request') {
      const rows = await listPriceRows(database, { question }, [item]);
      return { metric: item, ...seriesOf(rows.toReversed().flatMap(storedListOf), 'l') };
    },
    async listPins() {
      const pinned = await listPinned(database, name);
      return pinned.filter(({ request: stored }) => {
        const list = pricesRequestSchema.safeParse(stored).data;
        return list !== undefined && listQuestion(list) === question;
      });
    },
  };
}

/** Half-width of the 95 % interval of a normal distribution, in standard errors. */
const z = 1.959964;

/** An item whose ratio is known, as a run. Lists measured at different shares of full load are of different levels. */
function storedListOf(row: PriceRow): StoredRun[] {
  const { id, createdAt, http, difference, loadShare, environment } = row;
  const { server = null, negotiated = null, programs = [] } = storedFacts.safeParse(row.facts).data ?? {};
  if (http === null || http <= 0 || http + difference.lo <= 0) return [];
  const ratio = mapEstimate(difference, (us) => 1 + us / http);
  return [
    {
      ...{ id, createdAt, ratio, first: http, widened: 0, beside: programs, environment },
      outcome: excludes(difference, 0) ? 'overhead' : 'inconclusive',
      withinError: Math.log(ratio.hi / ratio.lo) / (2 * z),
      load: { users: 1, ratePerS: null },
      departed: loadShare === null ? null : 'below full load',
      tls: negotiated === null ? null : negotiatedWords({ baseline: negotiated, comparison: negotiated }),
      servers: { baseline: server, comparison: server },
    },
  ];
}

const storedFacts = pricesSchemas.facts.pick({ server: true, negotiated: true, programs: true }).strip();

/** @param openLoad that it was measured in; null where that does not matter. Null for another one. */
function storedRunOf(row: SeriesRow, openLoad: string | null): StoredRun | null {
  const opened = openStored(row);
  if (opened === null || (openLoad !== null && opened.openLoad !== openLoad)) return null;
  const { id, createdAt, ratio, first, outcome, withinError, widened, load, beside, departed, environment } =
    row;
  const { servers, negotiated } = opened;
  return {
    ...{ id, createdAt, ratio, first, outcome, withinError, widened, load, beside, departed, servers },
    tls: negotiatedWords(negotiated),
    environment: environmentSchema.safeParse(environment).data ?? null,
  };
}

/** Items that tell servers apart. */
const telling = ['request', 'per_16_kb', 'connection', 'resumed_connection', 'memory'];

/** The newest list of each server that a machine started. */
async function newestLists(database: Database, machine: string | undefined): Promise<NewestLists> {
  const rows = machine === undefined ? [] : await listPriceRows(database, { machine }, telling);
  const lists = [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((own) => {
    const [{ id, createdAt, request, facts }] = own as [PriceRow];
    const { target } = pricesRequestSchema.safeParse(request).data ?? {};
    const { server = null } = storedFacts.safeParse(facts).data ?? {};
    if (target?.kind !== 'managed' || server === null) return [];
    const { name, title, version } = server;
    return [
      {
        ...{ id, url: `/l/${id}`, createdAt, server: name, title, version, key: target.key },
        items: own.map(({ item, http, difference }) => ({ id: item, http, difference })),
      },
    ];
  });
  // Newest first.
  return {
    lists: [...Map.groupBy(lists, ({ server }) => server).values()].flatMap(([newest]) => newest ?? []),
  };
}
