import type { Router } from 'express';
import { environmentSchema } from '../../../shared/base/environment.ts';
import { excludes, mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import { ProblemError, problem, problemAt } from '../../../shared/base/problem.ts';
import { type MetricId, metricIds, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { Series } from '../../../shared/kinds/comparison/past.ts';
import type { RunFacts } from '../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../shared/kinds/comparison/run-request.ts';
import {
  type PricesRequest,
  pricesRequestSchema,
  prices as pricesSchemas,
} from '../../../shared/kinds/prices/prices.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import type { MeasurementDocument } from '../../../shared/results/kinds.ts';
import { allClaims, readFigure } from '../../../shared/studies/read-figure.ts';
import { rowOfClaim } from '../../../shared/studies/read-sizes.ts';
import type { Figure, Read } from '../../../shared/studies/study-figure.ts';
import {
  type StudyMeasurement,
  type StudyMeasurementName,
  studies,
  studyMeasurement,
  studyMeasurementNames,
  studyNames,
  yearOf,
} from '../../../shared/studies/study-plan.ts';
import type { PlannedMeasurement, StudyReport } from '../../../shared/studies/study-report.ts';
import type { FoundServer } from '../../../shared/target/target.ts';
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
import type { Examples } from '../../life/examples/with-examples.ts';
import type { AttemptAt, Measurements } from '../../life/measurement/asked-measurements.ts';
import { addressOf } from '../../life/measurement/summaries.ts';
import { hashText } from '../../life/measurement/tokens.ts';
import { type AppParts, serve } from './endpoint.ts';

/** A document that is over never changes, so what was read of it is kept while it answers: some are megabytes. */
type Kept = { id: string; machine: Machine; reads: Map<Figure, Read> };
type Machine = { cpuModel: string; cores: number };

type Options<House> = {
  measurements: Pick<Measurements, 'ofRequest' | 'document'>;
  examples: Examples<House>;
  servers(): FoundServer[];
};

/**
 * A measurement answers a claim by its request, whoever started it. Until there is one, the example does that is called like it.
 */
export function openStudies<House>({
  measurements,
  examples,
  servers,
}: Options<House>): () => Promise<StudyReport> {
  const kept = new Map<StudyMeasurementName, Kept>();

  async function planned(
    name: StudyMeasurementName,
    found: readonly FoundServer[],
  ): Promise<PlannedMeasurement> {
    const { title, request, seconds, needs, full } = studyMeasurement(name);
    const attempts = await measurements.ofRequest(request.kind, request);
    const [newest] = attempts.filter(({ isBinned }) => !isBinned);
    const { finished, why } = await newestFinished(name, attempts);
    const lacks = lackOf(needs, found);
    const going = newest !== undefined && !isOver(newest.state) ? newest : null;
    const ended = going === null && newest !== undefined && newest.id !== finished?.id ? newest : null;
    return {
      ...{ name, title, kind: request.kind, request, seconds, full },
      measured: finished ?? (await exampleOf(name)),
      going: going === null ? null : { id: going.id, url: going.url },
      resumes: ended?.resumes === true ? ended.id : null,
      why: lacks ?? why ?? ended?.problem?.detail ?? null,
      lacking: lacks !== null,
      // With the request, which another version of the program may ask for otherwise.
      key: `studies-${hashText(JSON.stringify(request))}-${attempts[0]?.id ?? 'first'}`,
    };
  }

  async function newestFinished(name: StudyMeasurementName, attempts: readonly AttemptAt[]) {
    const newest = attempts.find(({ state, isBinned }) => state === 'finished' && !isBinned);
    if (newest === undefined) return { finished: null, why: null };
    const { id, url, createdAt } = newest;
    const before = kept.get(name);
    if (before?.id !== id) {
      try {
        const { document } = await measurements.document(id);
        kept.set(name, readAll(name, id, document as MeasurementDocument));
      } catch (error) {
        // The document is from a newer version, damaged, or was deleted meanwhile.
        if (!(error instanceof ProblemError)) throw error;
        return { finished: null, why: error.problem.detail };
      }
    }
    const { cpuModel = '', cores = 0 } = kept.get(name)?.machine ?? {};
    return { finished: { id, url, createdAt, cpuModel, cores, isExample: false }, why: null };
  }

  async function exampleOf(name: StudyMeasurementName) {
    const example = (await examples.list()).find((each) => each.name === name);
    if (example === undefined) return null;
    const { kind, document } = example;
    const { id, createdAt } = document;
    if (kept.get(name)?.id !== id)
      kept.set(name, readAll(name, id, document as unknown as MeasurementDocument));
    const { cpuModel, cores } = document.environment;
    return { ...{ id, createdAt, cpuModel, cores }, url: addressOf(kind, id), isExample: true };
  }

  return async () => {
    const found = servers();
    const all = await Promise.all(studyMeasurementNames.map((name) => planned(name, found)));
    const read = (name: StudyMeasurementName, figure: Figure): Read =>
      kept.get(name)?.reads.get(figure) ?? { missing: 'It was deleted meanwhile.' };
    return {
      studies: studyNames.map((name) => ({ name, year: yearOf(name), ...studies[name] })),
      measurements: all,
      rows: allClaims.map((claim) => rowOfClaim(claim, all, read)),
    };
  };
}

function readAll(name: StudyMeasurementName, id: string, document: MeasurementDocument): Kept {
  const { cpuModel, cores } = document.environment;
  const reads = new Map<Figure, Read>();
  for (const claim of allClaims) {
    if (claim.by?.includes(name)) reads.set(claim.figure, readFigure(claim.figure, document));
  }
  return { id, machine: { cpuModel, cores }, reads };
}

/** In a sentence; null where all are there. */
function lackOf(needs: StudyMeasurement['needs'], found: readonly FoundServer[]): string | null {
  const [lacking] = found.filter(({ name, installed }) => needs.includes(name) && !installed);
  if (lacking === undefined) return null;
  return `${lacking.title} is not installed here. Install ${lacking.missing.join(' and ')}.`;
}

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
