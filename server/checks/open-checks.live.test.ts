/** Protects a measurement that has the machine from a dry run. */
import { expect, test } from 'vitest';
import { createRunSchema } from '../../shared/run-request.ts';
import { openMachineQueue } from '../measurement/machine-queue.ts';
import { openDatabaseInTest } from '../testing/database-in-test.ts';
import { openChecks } from './open-checks.ts';

test('a dry run does not disturb a measurement that has the machine', async () => {
  const { database, close } = await openDatabaseInTest();
  const queue = openMachineQueue(() => {});
  const { promise, resolve } = Promise.withResolvers<void>();
  queue.add({ id: 'a measurement', onPlace() {}, perform: () => promise });
  const house = { dataDirectory: '', storefrontDatabaseUrl: null, chromiumPath: null };
  await expect(openChecks(database, house, queue).dryRun(createRunSchema.parse({}))).rejects.toMatchObject({
    problem: { code: 'machine_busy' },
  });
  resolve();
  await close();
});
