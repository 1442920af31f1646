/** Protects the refusals of k6: what it cannot do is named before a run starts, never left out. */
import { expect, test } from 'vitest';
import { runRequestSchema } from '../../../../shared/run-request.ts';
import { scenarioSchema } from '../../../../shared/scenario.ts';
import { demandEngine } from './demand-engine.ts';

const plain = scenarioSchema.parse({ name: 'Home', steps: [{ name: 'Home', method: 'GET', path: '/' }] });
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

test('a scenario that no script can hold is refused; a plain one is not', () => {
  const request = runRequestSchema.parse({ engine: 'k6' });
  expect(() => demandEngine(request, chooses)).toThrow('chooses among several values');
  expect(() => demandEngine(request, plain)).not.toThrow();
});
