/** Protects the tokens of agents and exporters: each reaches its reader alone, and a run without it, or with half of one, is refused. */
import { expect, test } from 'vitest';
import { originsTargetSchema } from '../../../shared/target/target.ts';
import { demandReaderTokens, secretsOfScenario, secretsOfTarget } from './reader-tokens.ts';

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
