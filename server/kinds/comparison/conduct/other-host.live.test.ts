/** Protects runs against another host: it is loaded where it is allowed, has latency, and no CPU of a process here. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProblemError, problem } from '../../../../shared/base/problem.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { RunFacts } from '../../../../shared/kinds/comparison/run.ts';
import { scenarioSchema } from '../../../../shared/scenario/scenario.ts';
import { capsSchema, originsTargetSchema, type Permit } from '../../../../shared/target/target.ts';
import { openHostTurns } from '../../../base/addresses/load-limits.ts';
import { type Authority, openAuthority } from '../../../targets/certificates/certificate-authority.ts';
import { briefPlan } from '../../../testing/brief-plan.ts';
import { idInTest } from '../../../testing/id-in-test.ts';
import { makeNetworkHost, mayMakeHosts, type NetworkHost } from '../../../testing/network-host.ts';
import { hasNginx, type NginxInTest, startNginxInTest } from '../../../testing/nginx-in-test.ts';
import { comparison } from '../kind.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-other-host-'));
const caps = capsSchema.parse({});
const hostTurns = openHostTurns();
/** A fixed load, as a target on another host gets it. */
const brief: Partial<Plan> = { ...briefPlan, users: null };

describe.skipIf(!mayMakeHosts || !hasNginx)('a target on another host', () => {
  let authority: Authority;
  let host: NetworkHost;
  let nginx: NginxInTest;
  beforeAll(async () => {
    authority = await openAuthority(directory);
    host = await makeNetworkHost();
    nginx = await startNginxInTest(authority, ['http', 'https'], { host });
  });
  afterAll(async () => {
    await nginx?.stop();
    await host?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const targetAt = (hostname: string, pid?: number) =>
    originsTargetSchema.parse({
      kind: 'origins',
      http: `http://${hostname}:${nginx.httpPort}`,
      https: `https://${hostname}:${nginx.httpsPort}`,
      trust: new X509Certificate(authority.certPem).fingerprint256,
      pid,
    });
  const houseThatAllows = (...hosts: string[]) => ({
    ...{ dataDirectory: directory, storefrontDatabaseUrl: null, chromiumPath: '/nowhere' },
    ...{ hostTurns, permits: async () => hosts.map((each) => ({ host: each, caps })) },
    chooseScenario: comparisonScenario,
  });
  const prepare = (hostname: string, allowed: string[], pid?: number) =>
    comparison.prepare(
      comparison.requestSchema.parse({ target: targetAt(hostname, pid) }),
      {},
      houseThatAllows(...allowed),
    );
  const problemOf = async (prepared: Promise<unknown>) => {
    const error = await prepared.catch((reason: unknown) => reason);
    if (!(error instanceof ProblemError)) throw new Error('it was not refused', { cause: error });
    return error.problem;
  };

  test('is refused, with the way to allow it, until somebody has allowed it', async () => {
    expect(await problemOf(prepare(host.address, []))).toMatchObject({
      code: 'target_not_permitted',
      errors: [{ field: 'target.http', message: expect.stringContaining('Allow it at /targets.') }],
    });
    expect(await problemOf(prepare(host.address, [host.gateway]))).toMatchObject({
      code: 'target_not_permitted',
    });
  });

  test('has no process here, whoever gives the ID of one', async () => {
    expect(await problemOf(prepare(host.address, [host.address], process.pid))).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'target.pid' }],
    });
  });

  async function measure(
    permit: Permit,
    signal = new AbortController().signal,
    change: Partial<Plan> = brief,
  ) {
    const house = { ...houseThatAllows(), permits: async () => [permit] };
    const request = comparison.requestSchema.parse({ target: targetAt(host.address) });
    const prepared = await comparison.prepare(request, {}, house);
    const measured = {
      facts: { ...prepared.facts, plan: { ...prepared.facts.plan, ...change } as Plan } as RunFacts,
      blocks: [] as Block[],
    };
    const watch = {
      signal,
      tell: () => {},
      async keep(part: { facts?: RunFacts; block?: Block }) {
        measured.facts = part.facts ?? measured.facts;
        if (part.block !== undefined) measured.blocks.push(part.block);
      },
      async measured() {},
    };
    await comparison.conduct(
      { id: idInTest, request, facts: measured.facts, secrets: {}, blocks: [] },
      watch,
      house,
    );
    return measured;
  }

  test('is measured where its range is allowed, without the CPU of what listens on its port here', async () => {
    const impostor = createServer().listen(nginx.httpPort, '0.0.0.0');
    await once(impostor, 'listening');
    const { facts, blocks } = await measure({ host: `${host.address}/30`, caps });
    impostor.close();
    const { sides } = facts.preflight ?? {};
    expect(sides?.baseline.checks.find(({ id }) => id === 'address')?.message).toBe(
      `${host.address} is another host, allowed as ${host.address}/30.`,
    );
    expect(sides?.baseline.checks.find(({ id }) => id === 'process')).toMatchObject({
      status: 'warn',
      message: 'CPU, memory and disk will not be measured: the target’s host has no agent.',
    });
    expect(sides?.comparison.roundTrip).toMatchObject({ connections: 7, medianUs: expect.any(Number) });
    expect(sides?.comparison.checks.find(({ id }) => id === 'connect')?.message).toMatch(
      /takes connections\. Round trip .* % of the .* until a response begins\.$/,
    );
    expect(facts.launches[0]?.pids).toEqual({ baseline: null, comparison: null, twin: null });
    const lockstep = blocks.filter(({ kind }) => kind === 'lockstep');
    expect(lockstep[0]?.ratios.latency_p50?.value).toBeGreaterThan(0);
    expect(lockstep[0]?.ratios.cpu_lone).toBeUndefined();
    expect(blocks.flatMap(({ reasons }) => reasons)).toEqual([]);
    // At load at what its limits allow: no more than that is the server's.
    expect(facts.atLoad).toMatchObject({ chosen: 'fixed', ratePerS: expect.any(Number) });
    const atLoad = blocks.filter(({ kind }) => kind === 'maximum');
    expect(atLoad.length).toBeGreaterThan(0);
    for (const { ratios, slots } of atLoad) {
      expect(ratios.throughput).toBeUndefined();
      expect(slots.every(({ load }) => load.succeeded > 0)).toBe(true);
    }
  });

  test('sees no more requests per second than it is allowed', async () => {
    const { blocks } = await measure({ host: host.address, caps: { ...caps, requestsPerS: 40 } });
    const [block] = blocks.filter(({ kind }) => kind === 'lockstep');
    const windows = block?.windows ?? [];
    const requests = windows
      .flatMap((window) => Object.values(window.arms))
      .reduce((sum, arm) => sum + arm.transactions, 0);
    const elapsedS = windows.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0) / 1000;
    expect(requests).toBeGreaterThan(0);
    // A group of three may have begun just before.
    expect(requests).toBeLessThanOrEqual(40 * elapsedS + 3);
  });

  test('gets no more bytes than it is allowed, whatever the run would still need', async () => {
    const ended = measure({ host: host.address, caps: { ...caps, bytes: 1_500_000 } }, undefined, {
      ...brief,
      lockstepMs: 60_000,
    });
    await expect(ended).rejects.toMatchObject({
      problem: {
        code: 'limit_reached',
        detail: `The limit of bytes of ${host.address} (1.5 MB) was reached.`,
      },
    });
  });

  test.each([
    [{ connections: 23 }, 'users', /24 connections, but .* is allowed 23/],
    [{ minutes: 0.2 }, 'length', /Choose a shorter plan/],
  ])('a run that asks for more than %j is refused before it is queued', async (less, field, message) => {
    const house = {
      ...houseThatAllows(),
      permits: async () => [{ host: host.address, caps: { ...caps, ...less } }],
    };
    const request = comparison.requestSchema.parse({ target: targetAt(host.address) });
    expect(await problemOf(comparison.prepare(request, {}, house))).toMatchObject({
      code: 'invalid_request',
      errors: [{ field, message: expect.stringMatching(message) }],
    });
  });

  test('gets its last byte within a second after all load is stopped, also while requests are in flight', async () => {
    const stop = new AbortController();
    const running = measure({ host: host.address, caps: { ...caps, requestsPerS: 100_000 } }, stop.signal, {
      ...brief,
      lockstepMs: 60_000,
    });
    const before = segmentsReceived(host);
    // The preflight and the warm-up together are far below that.
    const over = running.then(
      () => true,
      () => true,
    );
    while (segmentsReceived(host) - before < 3000) {
      if (await Promise.race([over, pause(20, false)])) break;
    }
    const check = () => hostTurns.check([host.address], new AbortController().signal, async () => 'free');
    await expect(check()).rejects.toMatchObject({ problem: { code: 'target_busy' } });
    // Queued, and checked when it begins.
    await prepare(host.address, [host.address]);
    const stoppedAt = performance.now();
    stop.abort(problem('load_stopped', 'All load was stopped.'));
    await expect(running).rejects.toMatchObject({ problem: { code: 'load_stopped' } });
    expect(await check()).toBe('free');
    let segments = segmentsReceived(host);
    let lastAt = stoppedAt;
    for (const until = stoppedAt + 1500; performance.now() < until; await pause(10)) {
      const now = segmentsReceived(host);
      if (now === segments) continue;
      segments = now;
      lastAt = performance.now();
    }
    expect(lastAt - stoppedAt).toBeLessThan(1000);
  });
});

/** TCP segments, counted by the host's own kernel. */
function segmentsReceived({ pid }: NetworkHost): number {
  const [names = '', values = ''] = readFileSync(`/proc/${pid}/net/snmp`, 'utf8').match(/^Tcp: .*$/gm) ?? [];
  return Number(values.split(' ')[names.split(' ').indexOf('InSegs')]);
}

const comparisonScenario = async () => ({ scenario: onePage, revisionId: null });
const onePage = scenarioSchema.parse({ name: 'Visit', steps: [{ name: 'Page', method: 'GET', path: '/' }] });
