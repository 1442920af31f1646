/** Protects runs whose sides differ in TLS or server: each side is what was asked for at both ends, and its CPU its own processes'. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { byArm, namesOf } from '../../../../shared/base/arms.ts';
import type { NegotiatedTls } from '../../../../shared/base/tls-profile.ts';
import { twoSidesAndTwin } from '../../../../shared/base/transport.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { runRequestSchema, type SidesRequestInput } from '../../../../shared/kinds/comparison/run-request.ts';
import { pathScenario } from '../../../../shared/scenario/scenario.ts';
import type { ServerName } from '../../../../shared/target/server-options.ts';
import type { MeasuredServerOf } from '../../../../shared/target/target.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import { demandInstalled, findServers } from '../../../targets/managed/find-servers.ts';
import { managedServers } from '../../../targets/managed/managed-servers.ts';
import { checkTarget } from '../../../targets/open/check-once.ts';
import { askTarget, openTarget } from '../../../targets/open/open-target.ts';
import { openSampler } from '../../../targets/sampling/process-sampler.ts';
import { measureSides, negotiatedIn } from '../../../testing/measure-sides.ts';
import { printConfiguration } from '../metric-figures.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-sides-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const installed = findServers().flatMap((server) => (server.installed ? [server.name] : []));
const has = (...names: ServerName[]) => names.every((name) => installed.includes(name));
const arms = namesOf(twoSidesAndTwin);

/** Both sides have TLS, unless a side says otherwise. */
function measure(target: ServerName, { baseline, comparison }: SidesRequestInput): Promise<RunDocument> {
  const sides = {
    baseline: { transport: 'https', ...baseline } as const,
    comparison: { transport: 'https', ...comparison } as const,
  };
  return measureSides({ target, sides, connectionPolicy: 'connection-per-transaction' }, { directory });
}

/** The twin is the baseline again, in processes of its own; each arm's CPU is read from its own. */
function expectSides(document: RunDocument, of: Record<'baseline' | 'comparison', object>): void {
  const { baseline, comparison, twin } = negotiatedIn(document);
  expect(baseline).toMatchObject(of.baseline);
  expect(comparison).toMatchObject(of.comparison);
  expect(twin).toEqual(baseline);
  expect(document.preflight?.sides.baseline.tls).toEqual(baseline);
  expect(document.preflight?.sides.comparison.tls).toEqual(comparison);
  const [pids] = document.launches.map((launch) => launch.pids);
  expect(new Set(Object.values(pids ?? {})).size).toBe(arms.length);
  const slots = document.blocks.flatMap((block) => block.slots);
  for (const { load } of slots) expect(load.errors).toEqual([]);
  // On a busy machine, a side may have had no turn in a slot as short as these.
  for (const [arm, of] of Map.groupBy(slots, (slot) => slot.arm)) {
    expect(sumOf(of.map(({ target }) => target?.cpuUs ?? 0)), arm).toBeGreaterThan(0);
  }
  const { server, baselineServer } = document;
  const [ofBaseline, ofComparison] = [
    baselineServer === undefined ? server?.baselineWitness : baselineServer.witness,
    server?.witness,
  ];
  expectWitness(ofBaseline, baseline);
  expectWitness(ofComparison, comparison);
}

function expectWitness(
  witness: MeasuredServerOf<string>['witness'] | undefined,
  negotiated: NegotiatedTls | null,
): void {
  const { protocol, cipher, group } = negotiated ?? {};
  expect(witness?.agreed?.client).toBe(`${protocol} ${cipher} ${group}`);
  // lighttpd says nothing of it, and some do not know the group.
  const said = witness?.agreed?.server;
  if (said != null) expect(`${protocol} ${cipher} ${group}`.startsWith(said)).toBe(true);
}

test.runIf(has('nginx', 'node'))('nginx against Node', async () => {
  const document = await measure('nginx', { baseline: {}, comparison: { target: { server: 'node' } } });
  expectSides(document, { baseline: { group: expect.any(String) }, comparison: { group: 'X25519MLKEM768' } });
  expect(document.baselineServer).toMatchObject({ name: 'nginx', title: 'nginx' });
  expect(document.server).toMatchObject({ name: 'node', tlsLibrary: expect.stringMatching(/^OpenSSL 3\.5/) });
  const configuration = printConfiguration(document);
  expect(configuration).toMatch(/^# nginx \d[\s\S]+nginx\.conf of the first side[\s\S]+of the control/);
  expect(configuration).toMatch(/# Node \d[\s\S]+settings\.json of the second side \(Node\)/);
});

/** Started and checked as before a run: what loads a server is the same for all of them. */
async function check(target: ServerName, { baseline, comparison }: SidesRequestInput) {
  const request = runRequestSchema.parse({
    target,
    sides: {
      baseline: { transport: 'https', ...baseline },
      comparison: { transport: 'https', ...comparison },
    },
    connectionPolicy: 'connection-per-transaction',
  });
  const { signal } = new AbortController();
  const house = { dataDirectory: directory, storefrontDatabaseUrl: null, chromiumPath: null };
  const opened = await openTarget(askTarget(request, twoSidesAndTwin, {}), house, signal);
  try {
    const { listeners } = opened;
    const cpuUs = () => byArm(arms, (arm) => openSampler(listeners[arm].pid ?? 0).read().cpuUs);
    const before = cpuUs();
    const { tls, connectionPolicy } = request;
    const asked = { scenario: pathScenario(['/10000.html']), tls, connectionPolicy, signal };
    const { sides, problem } = await checkTarget(request.target, listeners, asked);
    const after = cpuUs();
    const twins = await checkTarget(request.target, { ...listeners, comparison: listeners.twin }, asked);
    return {
      opened,
      sides,
      problem,
      twin: twins.sides.comparison,
      usedUs: byArm(arms, (arm) => after[arm] - before[arm]),
    };
  } finally {
    await opened.stop();
  }
}

test.each(installed)(
  '%s against itself with another version, group, key, chain, protocol and client certificates',
  async (server) => {
    const { transports, lacks = [] } = managedServers[server];
    const hasHttp2 = transports.includes('h2');
    // Without HTTP/2 it offers no protocol at all.
    const alpn = hasHttp2 ? ['http/1.1', 'h2'] : [null, null];
    const isHybrid = demandInstalled(server).tls.groups.includes('MLKEM');
    const group = isHybrid ? 'X25519MLKEM768' : 'P-384';
    const { opened, sides, problem, twin, usedUs } = await check(server, {
      baseline: { tls: { version: 'TLSv1.2', group: 'X25519' }, target: { key: 'P-256' } },
      comparison: {
        ...{ transport: hasHttp2 ? 'h2' : 'https', tls: { version: 'TLSv1.3', group } },
        target: { key: 'RSA-2048', chain: 3, clientCertificates: !lacks.includes('clientCertificates') },
      },
    });
    const { baseline, comparison } = sides;
    expect(problem).toBeNull();
    expect(twin.tls).toEqual(baseline.tls);
    expect(baseline).toMatchObject({
      serverFlight: { certificates: 1 },
      tls: { protocol: 'TLSv1.2', group: 'X25519', key: 'EC P-256', alpn: alpn[0] },
    });
    expect(comparison).toMatchObject({
      serverFlight: { certificates: 4 },
      tls: { protocol: 'TLSv1.3', group, key: 'RSA 2048', alpn: alpn[1] },
    });
    expectWitness(opened.baselineServer?.witness, baseline.tls);
    expectWitness(opened.server?.witness, comparison.tls);
    expect(new Set(arms.map((arm) => opened.listeners[arm].pid)).size).toBe(arms.length);
    // Nobody asks the twin; a server may do something on its own.
    expect(Math.min(usedUs.baseline, usedUs.comparison)).toBeGreaterThan(usedUs.twin);
  },
);

test('sessions are resumed on the side that asks for it, and on no other', async () => {
  const document = await measure('node', {
    baseline: { tls: { resumption: 'none' } },
    comparison: { tls: { resumption: 'tickets' } },
  });
  const slots = document.blocks.flatMap((block) => block.slots);
  for (const { arm, load } of slots) {
    const resumed = load.handshakesResumed;
    expect(load.handshakesFull + resumed).toBeGreaterThan(0);
    // The first connection of a launch has nothing to resume.
    if (arm === 'comparison') expect(load.handshakesFull).toBeLessThanOrEqual(1);
    else expect(resumed).toBe(0);
  }
});

test('the storefront has its counts with sides that differ in TLS', async () => {
  const scenario = { name: 'Home', steps: [{ name: 'Home', method: 'GET' as const, path: '/' }] };
  const document = await measureSides(
    {
      scenario,
      sides: {
        baseline: { transport: 'https', tls: { group: 'X25519' } },
        comparison: { transport: 'https', tls: { group: 'P-256' } },
      },
      connectionPolicy: 'connection-per-transaction',
    },
    { directory },
  );
  const { baseline, comparison } = negotiatedIn(document);
  expect([baseline?.group, comparison?.group]).toEqual(['X25519', 'P-256']);
  expect(document.blocks.flatMap(({ reasons }) => reasons)).toEqual([]);
  for (const { target } of document.blocks.flatMap(({ slots }) => slots)) {
    expect(target?.cpuWitnessUs).not.toBeUndefined();
  }
});
