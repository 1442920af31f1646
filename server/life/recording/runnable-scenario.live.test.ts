/** Protects runs from scenarios that cannot work: they are refused with the fields that are wrong. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { type DatabaseInTest, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { runnableScenario, saveScenario } from './scenario-library.ts';

let opened: DatabaseInTest;
beforeAll(async () => {
  opened = await openDatabaseInTest();
});
afterAll(() => opened.close());

const step = { name: 'Orders', method: 'GET', path: '/orders' };
const scenarioOf = (...steps: object[]) => scenarioSchema.parse({ id: 'mine', name: 'Orders', steps });
const runnable = (asked: Parameters<typeof runnableScenario>[1], secrets = {}) =>
  runnableScenario(opened.database, asked, secrets);

test('one that comes with the product is named, one that is stored is named with its revision', async () => {
  expect(await runnable('search')).toMatchObject({ scenario: { id: 'search' }, revisionId: null });
  const scenario = scenarioOf(step);
  const { id, revision } = await saveScenario(opened.database, {
    ...{ scenario, origin: 'editor', site: null, actions: [], unsupported: [] },
  });
  const revisionId = revision?.id;
  expect(await runnable(id)).toMatchObject({ scenario: { id: revisionId, name: 'Orders' }, revisionId });
  expect(await runnable(revisionId ?? '')).toMatchObject({ revisionId });
  await expect(runnable('nothing')).rejects.toMatchObject({ problem: { code: 'scenario_not_found' } });
});

test('one that is given whole has no id, and only the steps that are switched on', async () => {
  const { scenario, revisionId } = await runnable(scenarioOf(step, { ...step, name: 'Off', enabled: false }));
  expect([scenario.id, revisionId]).toEqual([undefined, null]);
  expect(scenario.steps.map(({ name }) => name)).toEqual(['Orders']);
});

test('one that cannot work is refused with the fields that are wrong', async () => {
  const pattern = { from: 'regex', variable: 'other', pattern: '(' };
  const broken = scenarioOf({ ...step, path: '/orders/${id}', extract: [pattern] });
  await expect(runnable(broken)).rejects.toMatchObject({
    problem: {
      code: 'invalid_request',
      errors: [{ field: 'scenario.steps.0.path' }, { field: 'scenario.steps.0.extract.0.pattern' }],
    },
  });
});

test('one whose secret has no value is refused by its name', async () => {
  const login = scenarioOf({ ...step, path: '/login?key=${secret:key}' });
  await expect(runnable(login)).rejects.toMatchObject({
    problem: {
      ...{ code: 'secret_missing', detail: 'The secret “key” has no value.' },
      errors: [{ field: 'secrets.key' }],
    },
  });
  expect(await runnable(login, { key: 'x' })).toMatchObject({
    scenario: { steps: [{ path: '/login?key=${secret:key}' }] },
  });
});
