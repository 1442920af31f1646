import { createHash } from 'node:crypto';
import { blankAnnotation } from '../../shared/measurement/annotation.ts';
import { insertMeasurement, type NewMeasurement } from '../life/database/insert-measurement.ts';
import type { Database } from '../life/database/open-database.ts';

let inserted = 0;

/** For tests of the database: stores a measurement of no kind, each later than the one before; its delete token is `token`. */
export async function insertInTest(
  database: Database,
  change: Partial<NewMeasurement> = {},
): Promise<NewMeasurement> {
  const measurement = newInTest(change);
  if (!(await insertMeasurement(database, measurement))) throw new Error('it was not stored');
  return measurement;
}

/** The same, not stored. */
export function newInTest(change: Partial<NewMeasurement> = {}): NewMeasurement {
  inserted += 1;
  return {
    id: `Measured${inserted}x`.padEnd(22, '0'),
    kind: 'dummy',
    createdAt: 1_768_000_000_000 + inserted,
    title: 'A measurement',
    searchText: change.title ?? 'A measurement',
    summary: {},
    request: {},
    facts: {},
    revisionId: null,
    requestHash: 'request-hash',
    idempotencyHash: null,
    targets: [],
    annotation: blankAnnotation,
    deleteTokenHash: createHash('sha256').update('token').digest('hex'),
    ...change,
  };
}
