import { environmentSchema } from '../../../shared/base/environment.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { MetricId } from '../../../shared/kinds/comparison/metric.ts';
import type { RunFacts } from '../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../shared/kinds/comparison/run-request.ts';
import type { Series } from '../../../shared/kinds/comparison/series.ts';
import { transportsOfSides } from '../../../shared/kinds/comparison/side.ts';
import { factsOf, titleOfRun } from '../../../shared/target/target-facts.ts';
import { negotiatedWords } from '../../../shared/words/negotiated-words.ts';
import { openStored } from '../../kinds/comparison/series/open-stored.ts';
import { seriesKey } from '../../kinds/comparison/series/series-key.ts';
import { type StoredRun, seriesOf } from '../../kinds/comparison/series/series-of.ts';
import type { Database } from '../../life/database/open-database.ts';
import { listPinned, listSeriesRows, type PinnedRow, type SeriesRow } from '../../life/database/series.ts';
import type { Measurements } from '../../life/measurement/measurements.ts';

/** The series that a run belongs to. Throws run_not_found, run_deleted, run_binned, not_found. */
export async function readSeries(
  measurements: Measurements,
  database: Database,
  id: string,
  metric: MetricId,
): Promise<Series> {
  const { title, names, key, listPins } = await openSeries(measurements, database, id);
  const rows = await listSeriesRows(database, names, metric);
  const runs = rows.flatMap((row) => storedRunOf(row, key) ?? []);
  const baseline = (await listPins()).find(({ isBinned }) => !isBinned)?.id ?? null;
  return { title, metric, ...seriesOf(runs), baseline };
}

/** What identifies the series of a run. Throws as above. */
export async function openSeries(measurements: Measurements, database: Database, id: string) {
  const { kind } = await measurements.summary(id);
  if (kind !== 'comparison') throw problem('not_found', 'Only runs form series.');
  const { frame, facts: noted } = await measurements.kept(id);
  const [request, facts] = [frame.request as RunRequest, noted as RunFacts];
  const { target } = request;
  const transports = transportsOfSides(request);
  const { scenario, plan } = facts;
  const names = {
    ...{ target: factsOf(target).name, scenario: scenario.name },
    ...{ preset: plan.preset, transports },
  };
  const key = seriesKey(request, scenario);
  return {
    title: titleOfRun({ scenario, target }),
    names,
    key,
    /** Its pinned runs, the newest pin first, with those in the bin. The first that is not in the bin is the baseline. */
    async listPins(): Promise<PinnedRow[]> {
      return (await listPinned(database, names.target)).filter((row) => {
        const opened = openStored(row);
        return opened?.key === key && opened.scenario === names.scenario;
      });
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

/** Null for a run of another series. */
function storedRunOf(row: SeriesRow, key: string): StoredRun | null {
  const opened = openStored(row);
  if (opened?.key !== key) return null;
  const { id, createdAt, ratio, outcome, withinError, widened, environment } = row;
  return {
    ...{ id, createdAt, ratio, outcome, withinError, widened, server: opened.server },
    tls: opened.tls === null ? null : negotiatedWords(opened.tls),
    environment: environmentSchema.safeParse(environment).data ?? null,
  };
}
