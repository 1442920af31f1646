import { environmentSchema } from '../../../shared/base/environment.ts';
import { problem } from '../../../shared/base/problem.ts';
import { type MetricId, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { RunFacts } from '../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../shared/kinds/comparison/run-request.ts';
import type { Series } from '../../../shared/kinds/comparison/series.ts';
import { negotiatedWords } from '../../../shared/words/negotiated-words.ts';
import { targetNameOf, titleOfRun } from '../../../shared/words/targets-of-sides.ts';
import { questionId } from '../../kinds/comparison/conduct/question-id.ts';
import { openLoadOf, openStored } from '../../kinds/comparison/series/open-stored.ts';
import { questionOf } from '../../kinds/comparison/series/question-of.ts';
import { type StoredRun, seriesOf } from '../../kinds/comparison/series/series-of.ts';
import type { Database } from '../../life/database/open-database.ts';
import { listPinned, listSeriesRows, type PinnedRow, type SeriesRow } from '../../life/database/series.ts';
import type { Measurements } from '../../life/measurement/measurements.ts';

/** The series that a run belongs to: the runs of its question. Throws run_not_found, run_deleted, run_binned, not_found. */
export async function readSeries(
  measurements: Measurements,
  database: Database,
  id: string,
  metric: MetricId,
): Promise<Series> {
  const { title, question, openLoad, listPins } = await openSeries(measurements, database, id);
  const rows = await listSeriesRows(database, question, metric);
  const runs = rows.flatMap((row) => storedRunOf(row, isReadInOpenLoad(metric) ? openLoad : null) ?? []);
  const baseline = (await listPins()).find(({ isBinned }) => !isBinned)?.id ?? null;
  return { title, metric, ...seriesOf(runs), baseline };
}

/** Then it is another figure at another rate, and without one. */
function isReadInOpenLoad(metric: MetricId): boolean {
  return metricOf(metric).points.includes('steady');
}

/** What identifies the series of a run. Throws as above. */
export async function openSeries(measurements: Measurements, database: Database, id: string) {
  const { kind } = await measurements.summary(id);
  if (kind !== 'comparison') throw problem('not_found', 'Only runs form series.');
  const { frame, facts: noted } = await measurements.kept(id);
  const [request, facts] = [frame.request as RunRequest, noted as RunFacts];
  const { scenario, plan } = facts;
  const asked = questionOf(request, scenario);
  return {
    title: titleOfRun({ ...request, scenario }),
    question: questionId(request, scenario),
    openLoad: openLoadOf(request, plan),
    /** Its pinned runs, the newest pin first, with those in the bin. The first that is not in the bin is the baseline. */
    async listPins(): Promise<PinnedRow[]> {
      const pinned = await listPinned(database, targetNameOf(request));
      return pinned.filter((row) => openStored(row)?.question === asked);
    },
    /** Throws results_not_comparable. */
    demandFinished(): void {
      if (frame.state === 'finished') return;
      throw problem(
        'results_not_comparable',
        `This run is ${frame.state}. Only a finished run can be a baseline.`,
      );
    },
  };
}

/** @param openLoad that it was measured in; null where that does not matter. Null for another one. */
function storedRunOf(row: SeriesRow, openLoad: string | null): StoredRun | null {
  const opened = openStored(row);
  if (opened === null || (openLoad !== null && opened.openLoad !== openLoad)) return null;
  const { id, createdAt, ratio, outcome, withinError, widened, load, beside, departed, environment } = row;
  const { servers, negotiated } = opened;
  return {
    ...{ id, createdAt, ratio, outcome, withinError, widened, load, beside, departed, servers },
    tls: negotiatedWords(negotiated),
    environment: environmentSchema.safeParse(environment).data ?? null,
  };
}
