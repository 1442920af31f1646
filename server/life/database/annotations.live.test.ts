/** Protects labels on both engines: they are stored as written, and change nothing that was measured. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blankAnnotation } from '../../../shared/measurement/annotation.ts';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { binMeasurement } from './bin.ts';
import { findAnnotation, listAnnotations, storeAnnotationChange } from './insert-measurement.ts';
import { listChoices } from './list-measurements.ts';
import { buryMeasurement, findMeasurement } from './measurements.ts';
import type { Database } from './open-database.ts';

describe.each(engines)('labels in %s', (engine) => {
  let opened: DatabaseInTest;
  let database: Database;
  beforeAll(async () => {
    opened = await openDatabaseInTest(engine);
    database = opened.database;
  });
  afterAll(() => opened.close());

  const written = { title: 'Ünlogin <b>', note: 'שלום\n„µ“ \u{1f512}', tags: ['zeta', 'Alpha', 'TLS 1.3'] };

  test('an annotation is read as it was written, tags in order, and the measurement does not change', async () => {
    const { id } = await insertInTest(database);
    const before = await findMeasurement(database, id);
    expect(await findAnnotation(database, id)).toEqual(blankAnnotation);
    expect(await storeAnnotationChange(database, id, written)).toEqual(written);
    expect(await findAnnotation(database, id)).toEqual(written);
    expect(await findMeasurement(database, id)).toEqual(before);
  });

  test('a new measurement comes with its annotation', async () => {
    const { id } = await insertInTest(database, { annotation: written });
    expect(await findAnnotation(database, id)).toEqual(written);
  });

  test('a change keeps the parts it does not name; a blank annotation leaves no row', async () => {
    const { id } = await insertInTest(database, { annotation: written });
    expect(await storeAnnotationChange(database, id, { tags: ['one'] })).toEqual({
      ...written,
      tags: ['one'],
    });
    await storeAnnotationChange(database, id, { title: null, note: '', tags: [] });
    expect(await findAnnotation(database, id)).toEqual(blankAnnotation);
    for (const table of ['annotations', 'annotationTags'] as const) {
      const rows = database.queries.selectFrom(table).selectAll().where('measurementId', '=', id);
      expect(await rows.execute()).toEqual([]);
    }
  });

  test('of changes at the same time, none is lost', async () => {
    const { id } = await insertInTest(database);
    await Promise.all([
      storeAnnotationChange(database, id, { title: 'T' }),
      storeAnnotationChange(database, id, { note: 'N' }),
      storeAnnotationChange(database, id, { tags: ['a'] }),
    ]);
    expect(await findAnnotation(database, id)).toEqual({ title: 'T', note: 'N', tags: ['a'] });
  });

  test('a measurement that does not exist has no annotation and gets none', async () => {
    const id = 'x'.repeat(22);
    expect(await storeAnnotationChange(database, id, written)).toBeNull();
    expect(await findAnnotation(database, id)).toEqual(blankAnnotation);
  });

  test('labels of several measurements are listed by ID, without the unlabeled ones', async () => {
    const [one, two, plain] = [
      await insertInTest(database, { annotation: written }),
      await insertInTest(database, { annotation: { title: null, note: 'only', tags: [] } }),
      await insertInTest(database),
    ];
    const labels = await listAnnotations(database, [one.id, two.id, plain.id]);
    expect(Object.fromEntries(labels)).toEqual({
      [one.id]: { title: written.title, tags: written.tags },
      [two.id]: { title: null, tags: [] },
    });
    expect(await listAnnotations(database, [])).toEqual(new Map());
  });

  test('filter choices are counted regardless of case and without the bin', async () => {
    const { database: empty, close } = await openDatabaseInTest(engine);
    const tagged = (...tags: string[]) => ({ annotation: { title: null, note: '', tags } });
    await insertInTest(empty, { targets: ['nginx', 'apache'], ...tagged('Nightly', 'b') });
    await insertInTest(empty, { targets: ['nginx', 'nginx'], ...tagged('nightly') });
    const { id } = await insertInTest(empty, { targets: ['node'], ...tagged('nightly', 'gone') });
    await binMeasurement(empty, { id, fence: 0 }, 1);
    const { targets, tags } = await listChoices(empty);
    expect(targets).toEqual([
      { name: 'nginx', count: 2 },
      { name: 'apache', count: 1 },
    ]);
    expect(tags.map(({ name, count }) => [name.toLowerCase(), count])).toEqual([
      ['nightly', 2],
      ['b', 1],
    ]);
    await close();
  });

  test('removing a measurement for good removes its annotation', async () => {
    const { id } = await insertInTest(database, { annotation: written, targets: ['nginx'] });
    await buryMeasurement(database, id, 1);
    for (const table of ['annotations', 'annotationTags', 'measuredTargets'] as const) {
      const rows = database.queries.selectFrom(table).selectAll().where('measurementId', '=', id);
      expect(await rows.execute(), table).toEqual([]);
    }
  });
});
