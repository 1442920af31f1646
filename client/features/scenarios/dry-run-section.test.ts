/** Protects the dry-run form: the scenario on the screen is tried, with the secrets that its steps send. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
import { expect, test } from 'vitest';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { namesOfSecrets, requestOf, untouched } from './dry-run-section.tsx';

const scenario = scenarioSchema.parse({
  id: 'mine',
  name: 'Log in',
  steps: [
    { name: 'a', method: 'POST', path: '/?k=${secret:key}', body: '"${secret:password}" $${secret:none}' },
    { name: 'b', method: 'GET', path: '/${secret:off}', enabled: false },
  ],
});

test('the secrets that are asked for are those of the steps that are sent', () => {
  expect(namesOfSecrets(scenario)).toEqual(['key', 'password']);
});

test('what is on the screen is tried, with the secrets that have a value', () => {
  const form = { ...untouched(null), secrets: { key: 'k', old: 'x' }, pair: 'h2' } as const;
  const { id: _, ...unsaved } = scenario;
  expect(requestOf(form, scenario, ['key', 'password'])).toEqual({
    ...{
      target: { kind: 'storefront' },
      sides: { baseline: { transport: 'http' }, comparison: { transport: 'h2' } },
      scenario: unsaved,
      secrets: { key: 'k' },
    },
  });
});

test('two origins are asked for before they are both there', () => {
  const target = { ...untouched(null).target, kind: 'origins', http: ' http://127.0.0.1:1 ' } as const;
  expect(requestOf({ ...untouched(null), target }, scenario, [])).toBeNull();
  const whole = { ...untouched(null), target: { ...target, https: 'https://localhost:2' } };
  expect(requestOf(whole, scenario, [])?.target).toEqual({
    kind: 'origins',
    http: 'http://127.0.0.1:1',
    https: 'https://localhost:2',
  });
});

test('the target is where the scenario was recorded, with the other side where it usually is', () => {
  const targetAt = (site: string) => untouched(site).target;
  expect(targetAt('http://127.0.0.1:8080')).toMatchObject({
    kind: 'origins',
    http: 'http://127.0.0.1:8080',
    https: 'https://127.0.0.1:8443',
  });
  expect(targetAt('https://shop.example:9443')).toMatchObject({
    kind: 'origins',
    http: '',
    https: 'https://shop.example:9443',
  });
  expect(targetAt('storefront').kind).toBe('storefront');
});
