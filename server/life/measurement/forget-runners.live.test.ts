/** Protects runners on machines with a wrong date from being taken for dead. */
import { expect, test } from 'vitest';
import { engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { openMeasurementsOn } from '../../testing/measurements-in-test.ts';
import { sampleSurroundings } from '../../testing/sample-surroundings.ts';
import { leaveRunner, listRunnerRows, registerRunner } from '../database/runners.ts';

test.runIf(engines.includes('PostgreSQL'))('only runners that are gone are forgotten by date', async () => {
  const opened = await openDatabaseInTest('PostgreSQL');
  const machine = sampleSurroundings.environment;
  for (const name of ['wrong-date', 'gone']) {
    await registerRunner(
      opened.database,
      { name, session: name, labels: {}, version: '1', machine },
      null,
      0,
    );
  }
  await leaveRunner(opened.database, 'gone', 0);
  const self = { name: 'own', labels: {}, version: '1', measures: false };
  const inTest = await openMeasurementsOn(opened, {}, self);
  const names = (await listRunnerRows(opened.database)).map(({ name }) => name);
  expect(names).toContain('wrong-date');
  expect(names).not.toContain('gone');
  await inTest.close();
});
