/** Protects stored scenarios on both engines: their revisions, and what stays of them when they are deleted. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RevisionLine } from '../../../shared/scenario/stored-scenario.ts';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { sampleSurroundings } from '../../testing/sample-surroundings.ts';
import {
  appendRevision,
  countScenarios,
  deleteScenario,
  findNewestRevision,
  findRevision,
  findScenario,
  insertScenario,
  listRevisions,
  listScenarios,
} from './scenarios.ts';

const { scenario } = sampleSurroundings;

describe.each(engines)('scenarios in %s', (engine) => {
  let opened: DatabaseInTest;
  beforeAll(async () => {
    opened = await openDatabaseInTest(engine);
  });
  afterAll(() => opened.close());

  test('a scenario keeps its revisions, and once deleted only those that runs used', async () => {
    const { database } = opened;
    const content = (name: string) => ({
      scenario: { ...scenario, name },
      site: null,
      actions: [],
      unsupported: [{ line: 1, reason: 'not understood' }],
      secrets: ['password'],
    });
    const revision = (number: number): RevisionLine => ({
      ...{ id: `Revision${number}x`.padEnd(22, '0'), number, createdAt: 1_768_000_000_000 + number },
      origin: 'import',
    });
    const id = 'Scenario'.padEnd(22, '0');
    await insertScenario(database, id, revision(1), content('One\u0000'));
    expect(await appendRevision(database, id, revision(2), content('Two'))).toBe(true);
    const late = { ...revision(2), id: 'x'.repeat(22) };
    expect(await appendRevision(database, id, late, content('Late'))).toBe(false);
    expect(await countScenarios(database)).toBe(1);
    expect(await listScenarios(database)).toEqual([
      {
        ...{ id, deletedAt: null, newest: 2, name: 'Two', description: scenario.description },
        ...{ steps: 3, secrets: ['password'], revisionId: revision(2).id },
        ...{ createdAt: revision(2).createdAt, origin: 'import' },
      },
    ]);
    expect(await listRevisions(database, id)).toEqual([revision(2), revision(1)]);
    expect(await findRevision(database, revision(1).id)).toStrictEqual({
      ...{ ...revision(1), scenarioId: id },
      ...content('One\u0000'),
    });
    expect((await findNewestRevision(database, id))?.scenario.name).toBe('Two');

    await insertInTest(database, { revisionId: revision(1).id });
    await deleteScenario(database, id, 1_768_000_000_009);
    expect((await findScenario(database, id))?.deletedAt).toBe(1_768_000_000_009);
    expect(await countScenarios(database)).toBe(0);
    expect(await listRevisions(database, id)).toEqual([revision(1)]);
    expect(await appendRevision(database, id, revision(3), content('Gone'))).toBe(false);
  });
});
