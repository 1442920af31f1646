/** Protects runs against another host: it is loaded where it is allowed, has latency, and no CPU of a process here. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Block } from '../../../../shared/block.ts';
import type { Plan } from '../../../../shared/load-profile.ts';
import { capsSchema } from '../../../../shared/permitted-target.ts';
import { ProblemError } from '../../../../shared/problem.ts';
import type { RunFacts } from '../../../../shared/run.ts';
import { scenarioSchema } from '../../../../shared/scenario.ts';
import { originsTargetSchema } from '../../../../shared/target.ts';
import { type Authority, openAuthority } from '../../../target/certificate-authority.ts';
import { makeNetworkHost, mayMakeHosts, type NetworkHost } from '../../../testing/network-host.ts';
import { hasNginx, type NginxInTest, startNginxInTest } from '../../../testing/nginx-in-test.ts';
import { comparison } from '../kind.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-other-host-'));
const caps = capsSchema.parse({});
const short: Partial<Plan> = {
  epochs: { minimum: 1, maximum: 1 },
  ...{ lockstepMs: 500, maximumMs: 200 },
  warmUp: { requests: 50, longestMs: 500 },
};

describe.skipIf(!mayMakeHosts || !hasNginx)('a target on another host', () => {
  let authority: Authority;
  let host: NetworkHost;
  let nginx: NginxInTest;
  beforeAll(async () => {
    authority = await openAuthority(directory);
    host = await makeNetworkHost();
    nginx = await startNginxInTest(authority, ['http', 'https'], host);
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
    permits: async () => hosts.map((each) => ({ host: each, caps })),
    chooseScenario: comparisonScenario,
  });
  const prepare = (hostname: string, allowed: string[], pid?: number) =>
    comparison.prepare(
      comparison.requestSchema.parse({ target: targetAt(hostname, pid) }),
      {},
      houseThatAllows(...allowed),
    );
  const refusalOf = async (prepared: Promise<unknown>) => {
    const error = await prepared.catch((reason: unknown) => reason);
    if (!(error instanceof ProblemError)) throw new Error('it was not refused', { cause: error });
    return error.problem;
  };

  test('is refused, with the way to allow it, until somebody has allowed it', async () => {
    expect(await refusalOf(prepare(host.address, []))).toMatchObject({
      code: 'target_not_permitted',
      errors: [{ field: 'target.http', message: expect.stringContaining('Allow it at /targets.') }],
    });
    expect(await refusalOf(prepare(host.address, [host.gateway]))).toMatchObject({
      code: 'target_not_permitted',
    });
  });

  test('has no process here, whoever gives the ID of one', async () => {
    expect(await refusalOf(prepare(host.address, [host.address], process.pid))).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'target.pid' }],
    });
  });

  test('is measured where its range is allowed, without the CPU of what listens on its port here', async () => {
    const impostor = createServer().listen(nginx.httpPort, '0.0.0.0');
    await once(impostor, 'listening');
    const house = houseThatAllows(`${host.address}/30`);
    const request = comparison.requestSchema.parse({ target: targetAt(host.address) });
    const prepared = await comparison.prepare(request, {}, house);
    let facts: RunFacts = { ...prepared.facts, plan: { ...prepared.facts.plan, ...short } as Plan };
    const blocks: Block[] = [];
    await comparison.conduct(
      { request, facts, secrets: {}, blocks: [] },
      {
        signal: new AbortController().signal,
        tell: () => {},
        async keep(part) {
          facts = part.facts ?? facts;
          if (part.block !== undefined) blocks.push(part.block);
        },
      },
      house,
    );
    impostor.close();
    const { sides } = facts.preflight ?? {};
    expect(sides?.baseline.checks.find(({ id }) => id === 'address')?.message).toBe(
      `${host.address} is another host, allowed as ${host.address}/30.`,
    );
    expect(sides?.baseline.checks.find(({ id }) => id === 'process')).toMatchObject({
      status: 'warn',
      message: 'CPU, memory and disk will not be measured: the target’s host has no agent.',
    });
    expect(facts.launches[0]?.pids).toEqual({ baseline: null, comparison: null, twin: null });
    const lockstep = blocks.filter(({ kind }) => kind === 'lockstep');
    expect(lockstep[0]?.ratios.latency_p50?.value).toBeGreaterThan(0);
    expect(lockstep[0]?.ratios.cpu_per_transaction).toBeUndefined();
    expect(blocks.flatMap(({ reasons }) => reasons)).toEqual([]);
  });
});

const comparisonScenario = async () => ({ scenario: onePage, revisionId: null });
const onePage = scenarioSchema.parse({ name: 'Visit', steps: [{ name: 'Page', method: 'GET', path: '/' }] });
