/** Protects the secrets of a launch: asked for, written as their place demands, and never shown. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this
import { expect, test } from 'vitest';
import { scenarioOf } from '../../testing/scenario-in-test.ts';
import { compileScript } from './compile-script.ts';
import { fillSecrets, secretProblems, secretsOf } from './secrets.ts';
import { UserScript } from './user-script.ts';

const scenario = scenarioOf(
  [
    { path: '/login?user=${user}&key=${secret:key}' },
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-key': '${secret:key}' },
      body: 'p=${secret:password}&secret_2=$${secret:none}',
    },
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"p":"${secret:password}"}' },
    { path: '/${secret:unused}', enabled: false },
  ],
  { data: { columns: ['user'], rows: [['ann'], ['bob']] }, pages: ['/?k=${secret:key}'] },
);

test('the secrets of a scenario are those of the steps that are sent', () => {
  expect(secretsOf(scenario)).toEqual(['key', 'password']);
});

test('a secret is written as the place where it stands demands, in every row', () => {
  const values = { key: 'a b/c', password: 'p&"$${x}' };
  const filled = fillSecrets(scenario, values);
  const script = compileScript({ ...filled, steps: filled.steps.slice(0, 3) });
  if (script === null) throw new Error('the scenario is plain');
  const user = new UserScript(script, { hostname: 'shop.test', secure: true, now: () => 0 });
  user.beginTransaction(1);
  expect(user.render(0)?.path).toBe('/login?user=bob&key=a%20b%2Fc');
  expect(user.render(1)?.headers).toContainEqual(['x-key', 'a b/c']);
  expect(user.render(1)?.body?.toString()).toBe('p=p%26%22%24%24%7Bx%7D&secret_2=${secret:none}');
  expect(JSON.parse(user.render(2)?.body?.toString() ?? '')).toEqual({ p: values.password });
  expect(filled.pages).toEqual(['/?k=a%20b%2Fc']);
  expect(JSON.stringify(scenario)).not.toContain('a b/c');
});

test('values that are missing, not asked for or unfit for a header are named, and never shown', () => {
  expect(secretProblems(scenario, { key: 'snow ☃', other: 'sesame' })).toEqual([
    { name: 'key', message: 'the secret “key” is used in a header, so it must be one line of Latin-1 text' },
    { name: 'password', message: 'the secret “password” has no value' },
    { name: 'other', message: 'the scenario has no secret “other”' },
  ]);
  expect(secretProblems(scenario, { key: 'k', password: 'p' })).toEqual([]);
});
