import { createHash } from 'node:crypto';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { askedSidesOf, runRequestSchema } from '../../shared/kinds/comparison/run-request.ts';
import { blankAnnotation } from '../../shared/measurement/annotation.ts';
import { targetNameOf, titleOfDocument } from '../../shared/words/side-words.ts';
import { comparison } from '../kinds/comparison/kind.ts';
import { insertMeasurement } from '../life/database/insert-measurement.ts';
import { claimMeasurement, storeEnding, storeStart } from '../life/database/measurements.ts';
import type { Database } from '../life/database/open-database.ts';
import { summarise } from '../life/measurement/summaries.ts';

/** Stores a run that has ended; its delete token is `token`. */
export async function storeFinishedRun(database: Database, document: RunDocument): Promise<void> {
  const { id, createdAt, scenario, revisionId, state, endedAt, problem } = document;
  const { plan, launches, preflight, server, baselineServer, placement, atLoad, target, asked } = document;
  const facts = {
    ...{ scenario, revisionId, plan, launches, preflight, cache: null },
    ...{ server, baselineServer, placement, atLoad },
  };
  const summary = summarise(comparison, document);
  await insertMeasurement(database, {
    ...{ id, kind: 'comparison', createdAt, revisionId, summary, facts },
    title: titleOfDocument(document),
    searchText: titleOfDocument(document),
    request: runRequestSchema.parse({ ...asked, target, seed: plan.seed }),
    deleteTokenHash: createHash('sha256').update('token').digest('hex'),
    idempotencyHash: null,
    targets: [targetNameOf(askedSidesOf(document))],
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
  await storeEnding(database, claim, {
    ...ending,
    ...stored,
    figures: comparison.figuresOf?.(document) ?? null,
  });
}
