/** Protects the refusals of k6: what it cannot do is named before a run starts, never left out. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this
import { expect, test } from 'vitest';
import { capsSchema } from '../../../../shared/permitted-target.ts';
import { runRequestSchema } from '../../../../shared/run-request.ts';
import { scenarioSchema } from '../../../../shared/scenario.ts';
import { demandEngine, demandWayOfEngine } from './demand-engine.ts';

const plain = scenarioSchema.parse({ name: 'Home', steps: [{ name: 'Home', method: 'GET', path: '/' }] });
const withSecret = scenarioSchema.parse({
  name: 'Sign in',
  steps: [{ name: 'Sign in', method: 'POST', path: '/', body: 'password=${secret:password}' }],
});
const chooses = scenarioSchema.parse({
  name: 'Items',
  steps: [
    { name: 'Items', method: 'GET', path: '/', checks: [{ type: 'json_path', path: '$..id', equals: null }] },
  ],
});

test.each([
  [{ transports: ['http', 'h2'] }, 'k6 measures HTTP/1.1 only, not HTTP/2.'],
  [{ tls: { resumption: 'tickets' } }, 'k6 cannot resume TLS sessions.'],
  [{ tls: { group: 'X25519' } }, 'k6 cannot choose a key agreement group.'],
  [{ tls: { cipher: 'TLS_AES_128_GCM_SHA256' } }, 'k6 cannot choose a cipher suite.'],
  [
    { connectionPolicy: 'requests-per-connection' },
    'k6 cannot close a connection after a number of requests.',
  ],
  [{ ratePerS: 10 }, 'k6 does not measure open load, so it takes no rate.'],
  [{ rampMs: 10 }, 'k6 does not measure open load, so it takes no ramp-up.'],
])('%j is refused by its name, and only with k6', (asked, detail) => {
  const request = runRequestSchema.parse({ ...asked, engine: 'k6' });
  expect(() => demandEngine(request, plain)).toThrow(detail);
  expect(() => demandEngine({ ...request, engine: undefined }, plain)).not.toThrow();
});

test.each([
  [{ link: 'metro' }, plain, 'they take no link'],
  [{}, withSecret, 'Pods of k6 get no values of secrets (password)'],
  [{ rampMs: 10 }, plain, 'it takes no ramp-up'],
])('%j is refused in Kubernetes', (asked, scenario, detail) => {
  const request = runRequestSchema.parse({ ...asked, engine: 'k6-operator' });
  expect(() => demandEngine(request, scenario)).toThrow(detail);
});

test('k6 here stays on this machine, and pods go to other hosts only', () => {
  const permit = { host: 'staging.example.com', caps: capsSchema.parse({}) };
  expect(() => demandWayOfEngine({ engine: 'k6' }, null)).not.toThrow();
  expect(() => demandWayOfEngine({ engine: 'k6' }, permit)).toThrow('limits of another host');
  expect(() => demandWayOfEngine({ engine: 'k6-operator' }, permit)).not.toThrow();
  expect(() => demandWayOfEngine({ engine: 'k6-operator' }, null)).toThrow('cannot reach the loopback');
});

test('a scenario that no script can hold is refused; a plain one is not', () => {
  const request = runRequestSchema.parse({ engine: 'k6' });
  expect(() => demandEngine(request, chooses)).toThrow('chooses among several values');
  expect(() => demandEngine(request, plain)).not.toThrow();
});
