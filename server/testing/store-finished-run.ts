import { createHash } from 'node:crypto';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { runRequestSchema } from '../../shared/kinds/comparison/run-request.ts';
import { blankAnnotation } from '../../shared/measurement/annotation.ts';
import { factsOf } from '../../shared/target/target-facts.ts';
import { comparison } from '../kinds/comparison/kind.ts';
import { metricFigures } from '../kinds/comparison/report/metric-figures.ts';
import { insertMeasurement } from '../life/database/insert-measurement.ts';
import { claimMeasurement, storeEnding, storeStart } from '../life/database/measurements.ts';
import type { Database } from '../life/database/open-database.ts';

/** As a run that has ended leaves it; its delete token is `token`. */
export async function storeFinishedRun(database: Database, document: RunDocument): Promise<void> {
  const { id, createdAt, scenario, revisionId, state, endedAt, problem } = document;
  const { plan, launches, preflight, server, placement, atLoad } = document;
  const facts = { scenario, revisionId, plan, launches, preflight, cache: null, server, placement, atLoad };
  const summary = comparison.summaryOf(document);
  await insertMeasurement(database, {
    ...{ id, kind: 'comparison', createdAt, revisionId, summary, facts },
    title: `${scenario.name} on ${summary.target}`,
    searchText: `${scenario.name} on ${summary.target}`,
    request: runRequestSchema.parse({}),
    deleteTokenHash: createHash('sha256').update('token').digest('hex'),
    idempotencyHash: null,
    targets: [factsOf(document.target).name],
    annotation: blankAnnotation,
    requestHash: 'hash',
  });
  const claim = await claimMeasurement(database, id);
  if (claim === null) throw new Error('the run was not stored');
  await storeStart(database, claim, {
    startedAt: document.startedAt ?? createdAt,
    environment: document.environment,
  });
  const ending = { state, endedAt: endedAt ?? createdAt, problem, summary };
  const stored = { schemaVersion: document.schemaVersion, text: JSON.stringify(document) };
  await storeEnding(database, claim, { ...ending, ...stored, figures: metricFigures(document) });
}
