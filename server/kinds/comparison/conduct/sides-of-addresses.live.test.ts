/** Protects runs of two running servers, or of one asked for two kinds of TLS: trust, processes and readers are each side’s own. */
import { fork } from 'node:child_process';
import { randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { preflightRequestSchema } from '../../../../shared/api/target-endpoints.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import type { RunRequestInput } from '../../../../shared/kinds/comparison/run-request.ts';
import { pathScenario } from '../../../../shared/scenario/scenario.ts';
import { capsSchema } from '../../../../shared/target/target.ts';
import { type Authority, openAuthority } from '../../../targets/certificates/certificate-authority.ts';
import { checkOnce, dryRunOnce } from '../../../targets/open/check-once.ts';
import { startAgentInTest } from '../../../testing/agent-in-test.ts';
import { measureSides, negotiatedIn } from '../../../testing/measure-sides.ts';
import { makeNetworkHost, mayMakeHosts } from '../../../testing/network-host.ts';
import { hasNginx, type NginxInTest, startNginxInTest } from '../../../testing/nginx-in-test.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-addresses-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** That do not trust each other. */
let authorities: [Authority, Authority];
beforeAll(async () => {
  authorities = [await openAuthority(join(directory, 'one')), await openAuthority(join(directory, 'other'))];
});

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function nginx(authority: Authority): Promise<NginxInTest & { origin: string }> {
  const started = await startNginxInTest(authority, ['https']);
  stops.push(started.stop);
  return { ...started, origin: `https://127.0.0.1:${started.httpsPort}` };
}

const measure = (
  request: RunRequestInput,
  choice: Omit<Parameters<typeof measureSides>[1], 'directory'> = {},
) => measureSides({ target: { kind: 'origins' }, ...request }, { directory, ...choice });

const trustIn = ({ certPem }: Authority) => new X509Certificate(certPem).fingerprint256;

async function twoServers() {
  const [one, other] = [await nginx(authorities[0]), await nginx(authorities[1])];
  const sides = {
    baseline: { transport: 'https', target: { origin: one.origin, ca: authorities[0].caPem } },
    comparison: { transport: 'https', target: { origin: other.origin, trust: trustIn(authorities[1]) } },
  } as const;
  return { one, other, sides };
}

function expectAllRead({ blocks }: RunDocument): void {
  const slots = blocks.flatMap((block) => block.slots);
  expect(slots.length).toBeGreaterThan(0);
  for (const { load, target } of slots) {
    expect(load.errors).toEqual([]);
    expect(target?.cpuUs).toBeGreaterThan(0);
  }
}

describe.runIf(hasNginx)('two nginx with certificates of different authorities', () => {
  test('are each trusted as its side says, and each billed for its own processes', async () => {
    const { one, other, sides } = await twoServers();
    const document = await measure({ sides });
    expectAllRead(document);
    expect(document.launches.map(({ pids }) => pids)).toEqual([
      { baseline: one.pid, comparison: other.pid, twin: one.pid },
    ]);
    const origins = [document.sides.baseline.origin, document.sides.comparison.origin];
    expect(origins).toEqual([one.origin, other.origin]);
    const { baseline, comparison } = document.preflight?.sides ?? {};
    const said = (side: typeof baseline) => side?.checks.find(({ id }) => id === 'certificate')?.message;
    expect(said(baseline)).toMatch(/^Trusted; /);
    expect(said(comparison)).toMatch(/^Trusted for this run by its fingerprint/);
    expect(document.cache.findings).toEqual([expect.stringMatching(/browser/)]);
  });

  test('are read by one agent that watches both', async () => {
    const { one, other, sides } = await twoServers();
    const agent = await startAgentInTest(['--port', `${one.httpsPort},${other.httpsPort}`]);
    stops.push(agent.stop);
    const { name: address, fingerprint } = agent.at;
    const target = { kind: 'origins', agent: { address, fingerprint } } as const;
    const document = await measure({ target, sides }, { secrets: { agent_token: agent.token } });
    expectAllRead(document);
    expect(document.readings).toMatchObject({ by: 'agent', at: address });
  });

  test('are measured over a link', async () => {
    const { sides } = await twoServers();
    const document = await measure({ sides, link: { roundTripMs: 2 } });
    expectAllRead(document);
    expect(document.link?.added).not.toBeNull();
    const p50 = document.metrics.find(({ id }) => id === 'latency_p50');
    expect(p50?.baseline?.center ?? Number.NaN).toBeGreaterThan(2000);
  });

  test('are not mixed up when one side does not trust what it meets', async () => {
    const { sides } = await twoServers();
    const { comparison } = sides;
    const wrong = { ...comparison, target: { origin: comparison.target.origin, ca: authorities[0].caPem } };
    const field = 'sides.comparison.target.origin';
    const message = expect.stringContaining('which is not the CA that you gave');
    await expect(measure({ sides: { ...sides, comparison: wrong } })).rejects.toMatchObject({
      problem: { code: 'target_unreachable', errors: [{ field, message }] },
    });
  });
});

describe('two Node servers', () => {
  async function server(place: string, ...ports: string[]) {
    const own = join(directory, place);
    const child = fork(new URL('../../../testing/foreign-target-process.ts', import.meta.url), [
      own,
      ...ports,
    ]);
    const end = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    };
    stops.push(end);
    const [{ http, https, ca }] = (await once(child, 'message')) as [Record<'http' | 'https' | 'ca', string>];
    return { child, http, https, ca, end };
  }
  type Running = Awaited<ReturnType<typeof server>>;
  const sidesOf = (one: Running, other: Running) =>
    ({
      baseline: { transport: 'https', target: { origin: one.https, ca: one.ca } },
      comparison: { transport: 'https', target: { origin: other.https, ca: other.ca } },
    }) as const;

  test('go on as another launch when the supervisor of one restarts it', async () => {
    const [one, other] = [await server('one'), await server('other')];
    let restarted: Promise<Running> | null = null;
    const restart = async () => {
      await other.end();
      return server('other', ...[other.http, other.https].map((origin) => new URL(origin).port));
    };
    const document = await measure(
      { sides: sidesOf(one, other) },
      {
        onBlock({ index }) {
          if (index === 1) restarted = restart();
        },
        plan: { epochs: { minimum: 2, maximum: 2 } },
      },
    );
    const { child } = await (restarted ?? restart());
    expect(document.launches.map(({ pids }) => [pids.baseline, pids.comparison])).toEqual([
      [one.child.pid, other.child.pid],
      [one.child.pid, child.pid],
    ]);
    const lockstep = document.blocks.filter(({ kind }) => kind === 'lockstep');
    expect(lockstep.map(({ launch }) => launch)).toEqual([0, 1]);
  });

  test('are checked and tried out as they are measured', async () => {
    const [one, other] = [await server('one'), await server('other')];
    const request = preflightRequestSchema.parse({ target: { kind: 'origins' }, sides: sidesOf(one, other) });
    const scenario = pathScenario(['/']);
    const house = { dataDirectory: directory, storefrontDatabaseUrl: null, chromiumPath: null };
    const answer = await checkOnce(request, scenario, {}, house);
    expect(answer).toMatchObject({ ok: true });
    const { steps } = await dryRunOnce(request, scenario, {}, house, new AbortController().signal);
    expect(steps.map(({ sides }) => [sides.baseline?.status, sides.comparison?.status])).toEqual([
      [200, 200],
    ]);
  });

  test('of which one answers something else are not compared, and the field is that side’s address', async () => {
    const [one, other] = [await server('one'), await server('other')];
    other.child.send('fail');
    await expect(measure({ sides: sidesOf(one, other) })).rejects.toMatchObject({
      problem: {
        code: 'not_comparable',
        errors: [{ field: 'sides.comparison.target.origin', message: expect.stringContaining('500') }],
      },
    });
  });
});

test.runIf(hasNginx)('one nginx is asked for another group on each side', async () => {
  const { origin, pid } = await nginx(authorities[0]);
  const document = await measure({
    target: { kind: 'origins', https: origin, ca: authorities[0].caPem },
    sides: {
      baseline: { transport: 'https', tls: { group: 'X25519' } },
      comparison: { transport: 'https', tls: { group: 'P-256' } },
    },
    connectionPolicy: 'connection-per-transaction',
  });
  expectAllRead(document);
  const { baseline, comparison, twin } = negotiatedIn(document);
  expect([baseline?.group, comparison?.group, twin?.group]).toEqual(['X25519', 'P-256', 'X25519']);
  expect(document.launches[0]?.pids).toEqual({ baseline: pid, comparison: pid, twin: pid });
});

test.skipIf(!mayMakeHosts || !hasNginx)('an agent reads one host, so it reads no sides on two', async () => {
  const here = await nginx(authorities[0]);
  const host = await makeNetworkHost();
  const there = await startNginxInTest(authorities[1], ['https'], { host });
  stops.push(there.stop, host.close);
  const permits = async () => [{ host: host.address, caps: capsSchema.parse({}) }];
  const sides = {
    baseline: { transport: 'https', target: { origin: here.origin, ca: authorities[0].caPem } },
    comparison: {
      transport: 'https',
      target: { origin: `https://${host.address}:${there.httpsPort}`, trust: trustIn(authorities[1]) },
    },
  } as const;
  const agent = { address: '127.0.0.1:1', fingerprint: trustIn(authorities[0]) };
  const choice = { permits, secrets: { agent_token: randomBytes(32).toString('hex') } };
  const message = expect.stringMatching(
    /^An agent reads one host, but the sides are on this machine and 10\./,
  );
  await expect(measure({ target: { kind: 'origins', agent }, sides }, choice)).rejects.toMatchObject({
    problem: { code: 'invalid_request', errors: [{ field: 'target.agent', message }] },
  });
  const { launches } = await measure({ sides }, choice);
  expect(launches[0]?.pids).toEqual({ baseline: here.pid, comparison: null, twin: here.pid });
});
