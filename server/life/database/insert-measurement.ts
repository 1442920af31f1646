import type { Transaction } from 'kysely';
import type { Annotation } from '../../../shared/measurement/annotation.ts';
import { storeAnnotation } from './annotations.ts';
import type { Database } from './open-database.ts';
import { plainText } from './plain-text.ts';
import { storeStarter } from './starters.ts';
import type { Tables } from './tables.ts';

export type NewMeasurement = {
  id: string;
  kind: string;
  createdAt: number;
  title: string;
  summary: Record<string, unknown>;
  request: unknown;
  facts: unknown;
  /** Of the stored scenario that it uses. */
  revisionId: string | null;
  deleteTokenHash: string;
  requestHash: string;
  searchText: string;
  idempotencyHash: string | null;
  /** Names of what it loads, to find it by. */
  targets: readonly string[];
  annotation: Annotation;
  /** Of the schedule that it is measured for; left out for one that somebody started. */
  scheduleId?: string | undefined;
  /** ID of the user; null where nobody was signed in. */
  startedBy?: string | null;
};

/** In the transaction that queues it. */
export type Enroll = (transaction: Transaction<Tables>) => Promise<void>;

/**
 * False when another one has the same idempotency key; nothing is stored then.
 * @param enroll stores more in the same transaction
 */
export async function insertMeasurement(
  { queries }: Database,
  measurement: NewMeasurement,
  enroll: Enroll = async () => {},
): Promise<boolean> {
  return queries.transaction().execute((transaction) => insertIn(transaction, measurement, enroll));
}

export async function insertIn(
  transaction: Transaction<Tables>,
  measurement: NewMeasurement,
  enroll: Enroll,
): Promise<boolean> {
  const {
    title,
    searchText,
    summary,
    request,
    facts,
    targets,
    annotation,
    scheduleId,
    startedBy,
    ...columns
  } = measurement;
  const inserted = await transaction
    .insertInto('measurements')
    .values({
      ...columns,
      startedAt: null,
      endedAt: null,
      state: 'queued',
      fence: 0,
      title: plainText(title),
      searchText: plainText(searchText).toLowerCase(),
      summary: JSON.stringify(summary),
      verdict: null,
      continues: null,
      problem: null,
      request: JSON.stringify(request),
      facts: JSON.stringify(facts),
      environment: null,
    })
    .onConflict((conflict) => conflict.column('idempotencyHash').doNothing())
    .returning('id')
    .execute();
  if (inserted.length === 0) return false;
  for (const name of new Set(targets.map(plainText))) {
    await transaction.insertInto('measuredTargets').values({ measurementId: columns.id, name }).execute();
  }
  await storeAnnotation(transaction, columns.id, annotation);
  if (scheduleId !== undefined) {
    await transaction.insertInto('scheduled').values({ measurementId: columns.id, scheduleId }).execute();
  }
  await storeStarter(transaction, columns.id, startedBy ?? null);
  await enroll(transaction);
  return true;
}
