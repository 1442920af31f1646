/** Protects the command that repeats a run: read again, it asks for the same. */
import { expect, test } from 'vitest';
import { type RunRequestInput, runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import { pathScenario } from '../../../../shared/scenario/path-scenario.ts';
import { scenarioSchema } from '../../../../shared/scenario/scenario.ts';
import { sampleCertificate } from '../../../../shared/testing/sample-certificate.ts';
import { parseComparison } from '../../../edge/commands/compare.ts';
import { searchScenario } from '../../../targets/storefront/search-scenario.ts';
import { commandOf } from './command-line.ts';
import { planFor } from './plan-for.ts';

function commandFor(input: RunRequestInput, scenario = searchScenario): string {
  const request = runRequestSchema.parse(input);
  return commandOf({ request, plan: planFor(request, request.seed ?? 7), scenario });
}

/** What the command line makes of a command. */
function parseCommand(command: string) {
  const words = command.split(' ');
  expect(words.slice(0, 3)).toEqual(['npx', 'tls-toll', 'compare']);
  return parseComparison(words.slice(3)).request;
}

const origins = { http: 'http://127.0.0.1:8080', https: 'https://localhost:8443' };

test('the plainest run has the plainest command', () => {
  expect(commandFor({ seed: 42 })).toBe('npx tls-toll compare --length first --seed 42');
});

test.each<[string, RunRequestInput]>([
  ['a quick run of the storefront', {}],
  ['another length', { length: 'fine' }],
  [
    'http against its twin',
    { sides: { baseline: { transport: 'http' }, comparison: { transport: 'http' } } },
  ],
  [
    'https against its twin',
    { sides: { baseline: { transport: 'https' }, comparison: { transport: 'https' } } },
  ],
  [
    'the sides the other way round',
    { sides: { baseline: { transport: 'https' }, comparison: { transport: 'http' } } },
  ],
  ['a target given by two origins', { target: origins }],
  ['a target with its process', { target: { ...origins, pid: 4711 } }],
  [
    'a target with a twin and a certificate to trust',
    { target: { ...origins, twin: 'http://127.0.0.1:8081', trust: 'ab'.repeat(32) } },
  ],
  ['a scenario by its name', { scenario: 'search' }],
  ['a server of this machine', { target: 'nginx' }],
  [
    'a server with settings of its own',
    {
      target: {
        ...{ kind: 'managed', server: 'apache', key: 'RSA-2048', workers: 2 },
        ...{
          keepAlive: false,
          resumption: false,
          clientCertificates: true,
          kTls: true,
          documents: [0, 20_000],
        },
      },
    },
  ],
  ['more users', { users: 64 }],
  ['a load that is found again', { findLoad: true }],
  ['a connection for each request', { connectionPolicy: 'connection-per-request' }],
  ['a connection for each transaction', { connectionPolicy: 'connection-per-transaction' }],
  ['resumed sessions', { tls: { resumption: 'tickets' } }],
  ['TLS 1.2', { tls: { version: 'TLSv1.2' } }],
  ['TLS 1.3 and no other', { tls: { version: 'TLSv1.3' } }],
  [
    'several requests on a connection',
    { connectionPolicy: 'requests-per-connection', requestsPerConnection: 5 },
  ],
  ['some returning visitors', { tls: { resumption: 'mix', resumedShare: 0.25 } }],
  [
    'one suite and one group, unchecked',
    { tls: { cipher: 'TLS_AES_128_GCM_SHA256', group: 'X25519', verify: false } },
  ],
  ['a rate of its own, after a ramp', { ratePerS: 120.5, rampMs: 250 }],
  ['no think times, and two generators', { thinkTimeScale: 0, generators: 2 }],
  ['more launches, held to less', { launches: 12, tolerance: 0.01 }],
  ['users in lockstep, and shorter windows', { pairUsers: 4, windowMs: 100 }],
  ['a link of a profile', { link: 'mobile' }],
  ['a link of its own', { link: { roundTripMs: 25.5, mbitPerS: 50 } }],
  ['HTTP/2', { sides: { baseline: { transport: 'h2c' }, comparison: { transport: 'h2' } } }],
  [
    'everything at once',
    {
      length: 'quote',
      sides: { baseline: { transport: 'https' }, comparison: { transport: 'https' } },
      target: { ...origins, pid: 1 },
      users: 1,
      connectionPolicy: 'connection-per-request',
      tls: { version: 'TLSv1.2', resumption: 'tickets' },
    },
  ],
])('the command of %s asks for the same run again', (_name, input) => {
  const request = { ...input, seed: 2 ** 31 - 1 };
  expect(parseCommand(commandFor(request))).toEqual(runRequestSchema.parse(request));
});

test('paths are named as they were given, quoted for a shell where they must be', () => {
  const scenario = pathScenario(['/shop', "/it's?a=1&b=2"]);
  expect(commandFor({ target: origins, scenario }, scenario)).toMatch(
    / --path \/shop --path '\/it'\\''s\?a=1&b=2'$/,
  );
  const plain = pathScenario(['/', '/shop/42']);
  const asked = parseCommand(commandFor({ target: origins, scenario: plain, seed: 7 }, plain));
  expect(asked).toEqual(runRequestSchema.parse({ target: origins, scenario: plain, seed: 7 }));
});

test('a run with an own authority and an own scenario names the files that it needs', () => {
  const ca = sampleCertificate;
  const scenario = scenarioSchema.parse({ name: 'Own', steps: searchScenario.steps });
  expect(commandFor({ target: { ...origins, ca }, scenario }, scenario)).toBe(
    'npx tls-toll compare --length first --seed 7 --http http://127.0.0.1:8080 --https https://localhost:8443 --ca ca.pem --scenario scenario.json',
  );
});
