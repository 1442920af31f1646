/** Protects "Run again": the form that a run fills asks for the same run. */

import { expect, test } from 'vitest';
import { bySide } from '../../../shared/base/transport.ts';
import {
  type CreateRunInput,
  createRunSchema,
  resolveSides,
} from '../../../shared/kinds/comparison/run-request.ts';
import { pathScenario, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { goldenRun } from '../../../shared/testing/golden-run.ts';
import { sampleCertificate } from '../../../shared/testing/sample-certificate.ts';
import { formOfRun } from './intake.tsx';
import { parseForm } from './launch-form.ts';

const run = goldenRun();
const addresses = { http: 'http://127.0.0.1:8080', https: 'https://localhost:8443' };
const posting = scenarioSchema.parse({
  name: 'Log in',
  steps: [{ name: 'Log in', method: 'POST', path: '/login', body: 'a=1' }],
});

/** Result of a run with that request. */
function runOf(input: CreateRunInput) {
  const { kind, target, scenario, secrets, seed, ...asked } = createRunSchema.parse(input);
  const usual = factsOf(target).scenario;
  const sent = typeof scenario === 'object' && scenario !== null ? scenario : usual;
  const { baseline, comparison } = asked.sides;
  return {
    ...run,
    target,
    asked: { ...asked, scenario: typeof scenario === 'string' ? scenario : null },
    scenario: typeof sent === 'string' ? run.scenario : sent,
    sides: { baseline: { ...baseline, origin: null }, comparison: { ...comparison, origin: null } },
    plan: {
      ...run.plan,
      length: asked.length,
      users: asked.users,
      connectionPolicy: asked.connectionPolicy,
      requestsPerConnection: asked.requestsPerConnection,
    },
    tlsProfile: asked.tls,
  };
}

test.each<[string, CreateRunInput]>([
  ['the plainest run', {}],
  ['two addresses and their paths', { target: addresses, scenario: pathScenario(['/', '/shop']) }],
  [
    'a twin, an authority and a process',
    {
      target: { ...addresses, twin: 'http://127.0.0.1:8081', ca: sampleCertificate, pid: 7 },
      scenario: pathScenario(['/shop']),
    },
  ],
  ['a stored scenario', { target: addresses, scenario: 'mine' }],
  ['a scenario that is stored nowhere', { target: addresses, scenario: posting }],
  ['a server of this machine', { target: { kind: 'managed', server: 'apache', documents: [500] } }],
  [
    'a server with options of every kind',
    {
      target: {
        kind: 'managed',
        server: 'nginx',
        key: 'RSA-2048',
        workers: 4,
        keepAlive: false,
        resumption: false,
        clientCertificates: true,
        kTls: true,
        documents: [500, 0, 20_000],
      },
    },
  ],
  ['TLS 1.3 and no other', { tls: { version: 'TLSv1.3' } }],
  [
    'settings of every kind',
    {
      length: 'quote',
      sides: { baseline: { transport: 'https' }, comparison: { transport: 'h2' } },
      tls: {
        version: 'TLSv1.2',
        cipher: 'A-B',
        group: 'X25519',
        verify: false,
        resumption: 'mix',
        resumedShare: 0.07,
      },
      connectionPolicy: 'requests-per-connection',
      ...{
        requestsPerConnection: 5,
        users: 3,
        launches: 4,
        pairUsers: 2,
        windowMs: 100,
        tolerance: 0.07,
      },
      ...{ ratePerS: 12.5, rampMs: 10, thinkTimeScale: 0, generators: 2, link: '25ms,50mbit' },
    },
  ],
  ['a run of nothing but noise', { sides: { baseline: { transport: 'https' } } }],
  ['sides with names', { sides: { baseline: { name: 'Plain' }, comparison: { name: 'With TLS' } } }],
  [
    'sides that differ in TLS',
    {
      sides: {
        baseline: {
          ...{ transport: 'https', name: 'Old' },
          tls: { version: 'TLSv1.2', group: 'X25519', resumption: 'none', verify: false },
        },
        comparison: {
          ...{ transport: 'https', name: 'New' },
          tls: { version: null, group: null, resumption: 'tickets', verify: true },
        },
      },
      tls: { cipher: 'A-B' },
    },
  ],
  [
    'sides that differ in their server',
    {
      target: { kind: 'managed', server: 'nginx', workers: 2 },
      sides: {
        baseline: {
          transport: 'https',
          target: { key: 'P-256', chain: 0, clientCertificates: false, resumption: true },
        },
        comparison: {
          ...{ transport: 'https' },
          target: {
            ...{ server: 'node', key: 'RSA-2048', chain: 2 },
            ...{ clientCertificates: true, resumption: false },
          },
        },
      },
    },
  ],
  [
    'a side with visitors who return and one without',
    {
      sides: {
        baseline: { transport: 'https', tls: { resumption: 'none', resumedShare: 0.7 } },
        comparison: { transport: 'https', tls: { resumption: 'mix', resumedShare: 0.07 } },
      },
    },
  ],
  [
    'two addresses that speak the same',
    {
      target: { kind: 'origins', https: addresses.https, pid: 7 },
      scenario: pathScenario(['/']),
      sides: {
        baseline: { transport: 'https' },
        comparison: {
          transport: 'https',
          target: { origin: 'https://localhost:9443', ca: sampleCertificate, pid: 8 },
        },
      },
    },
  ],
])('the form of %s asks for it again', (_name, input) => {
  const asked = createRunSchema.parse(input);
  expect(parseForm(formOfRun(runOf(input))).request).toEqual(asked);
});

test.each<[string, CreateRunInput]>([
  ['one side alone', { sides: { comparison: { tls: { group: 'X25519' } } } }],
  ['what is alike on both sides', { sides: bySide(() => ({ transport: 'h2', tls: { group: 'X25519' } })) }],
  [
    'the addresses of both sides',
    {
      target: { kind: 'origins' },
      scenario: pathScenario(['/']),
      sides: {
        baseline: { transport: 'http', target: { origin: addresses.http } },
        comparison: { transport: 'https', target: { origin: addresses.https, pid: 9 } },
      },
    },
  ],
  [
    'a server for each side',
    {
      target: 'nginx',
      sides: {
        baseline: { transport: 'https', target: { server: 'go' } },
        comparison: { transport: 'https', target: { server: 'envoy', workers: 2 } },
      },
      scenario: 'mine',
    },
  ],
])('a run that says %s is asked for with the same sides', (_name, input) => {
  const { target: _ofAsked, sides: _sides, tls: _tls, ...asked } = createRunSchema.parse(input);
  const { request } = parseForm(formOfRun(runOf(input)));
  if (request === null) throw new Error('the form is not complete');
  expect(request).toMatchObject(asked);
  expect(resolveSides(request)).toMatchObject(resolveSides(createRunSchema.parse(input)));
});

test('the next run trusts the certificate that a run trusted', () => {
  const input = { target: { ...addresses, trust: 'AB'.repeat(32) }, scenario: pathScenario(['/']) };
  expect(parseForm(formOfRun(runOf(input))).request).toEqual(createRunSchema.parse(input));
});

test('an exporter is asked for the same metrics again', () => {
  const prometheus = { url: 'http://10.1.0.5/metrics', cpu: 'cpu{name="x"}', memory: 'memory' };
  const input = { target: { ...addresses, prometheus }, scenario: pathScenario(['/']) };
  expect(parseForm(formOfRun(runOf(input))).request).toEqual(createRunSchema.parse(input));
});

test('an agent is asked again, once its token has been entered', () => {
  const agent = { address: '10.1.0.5:7301', fingerprint: '3A'.repeat(32) };
  const secrets = { agent_token: '0123456789abcdef0123456789abcdef' };
  const input = { target: { ...addresses, agent }, scenario: pathScenario(['/']) };
  const form = formOfRun(runOf(input));
  expect(parseForm(form).messages).toEqual({ agentToken: expect.stringContaining('token file') });
  expect(parseForm({ ...form, agentToken: secrets.agent_token }).request).toEqual(
    createRunSchema.parse({ ...input, secrets }),
  );
});
