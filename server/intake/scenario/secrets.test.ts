/** Protects the secrets of a launch: asked for, written as their place demands, and never shown. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this

import { expect, test } from 'vitest';
import { originsTargetSchema } from '../../../shared/target/target.ts';
import { scenarioOf } from '../../testing/scenario-in-test.ts';
import { compileScript } from './compiled-script.ts';
import {
  demandReaderTokens,
  fillSecrets,
  secretProblems,
  secretsOf,
  secretsOfScenario,
  secretsOfTarget,
} from './secrets.ts';
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

/** Protects the tokens of agents and exporters: each reaches its reader alone, and a run without it, or with half of one, is refused. */

const origins = { kind: 'origins', http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };
const plain = originsTargetSchema.parse(origins);
const agent = { address: '127.0.0.1:7301', fingerprint: '3a'.repeat(32) };
const read = originsTargetSchema.parse({ ...origins, agent });
const token = '0123456789abcdef0123456789abcdef';

test('a scenario is never given it, even when it asks for a secret of that name', () => {
  expect(secretsOfScenario({ target: read }, { agent_token: token, password: 'x' })).toEqual({
    password: 'x',
  });
  expect(secretsOfScenario({ target: plain }, { agent_token: token })).toEqual({ agent_token: token });
  expect(secretsOfTarget({ target: read })).toEqual(['agent_token']);
  expect(secretsOfTarget({ target: plain })).toEqual([]);
});

test.each([
  [{}, 'secret_missing', 'The token of the agent has no value.'],
  [{ agent_token: 'short' }, 'invalid_request', 'secrets.agent_token: a token is 32 to 512'],
  [{ agent_token: 'ab'.repeat(32) }, 'invalid_request', 'secrets.agent_token: the token repeats'],
])('%j is refused as %s', (secrets, code, detail) => {
  expect(() => demandReaderTokens({ target: read }, secrets)).toThrow(detail);
  expect(() => demandReaderTokens({ target: read }, secrets)).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code }) }),
  );
  expect(() => demandReaderTokens({ target: plain }, secrets)).not.toThrow();
});

test('an exporter’s token is needed where it is asked for, and no scenario is given it', () => {
  const url = 'http://127.0.0.1:9256/metrics';
  const asked = originsTargetSchema.parse({ ...origins, prometheus: { url, bearer: true } });
  expect(secretsOfTarget({ target: asked })).toEqual(['exporter_token']);
  expect(secretsOfScenario({ target: asked }, { exporter_token: 'abc', password: 'x' })).toEqual({
    password: 'x',
  });
  expect(() => demandReaderTokens({ target: asked }, {})).toThrow('The token of the exporter has no value.');
  expect(() => demandReaderTokens({ target: asked }, { exporter_token: 'a b' })).toThrow(
    'secrets.exporter_token',
  );
  expect(() => demandReaderTokens({ target: asked }, { exporter_token: 'eyJh.eyJz.sig_-' })).not.toThrow();
  expect(secretsOfTarget({ target: originsTargetSchema.parse({ ...origins, prometheus: { url } }) })).toEqual(
    [],
  );
});

test('an agent is at a host and a port', () => {
  for (const address of [
    '10.1.0.5',
    'https://10.1.0.5:7301',
    '10.1.0.5:0',
    'a b:7301',
    '10.1.0.5:7301/x',
    'u@h:1',
  ]) {
    expect(originsTargetSchema.safeParse({ ...origins, agent: { ...agent, address } }).success, address).toBe(
      false,
    );
  }
  for (const address of ['10.1.0.5:7301', '[::1]:7301', 'staging.example.com:7301']) {
    expect(originsTargetSchema.safeParse({ ...origins, agent: { ...agent, address } }).success, address).toBe(
      true,
    );
  }
});
