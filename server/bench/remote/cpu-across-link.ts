import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { capsSchema } from '../../../shared/target/permitted-target.ts';
import { comparison } from '../../kinds/comparison/kind.ts';
import { type Authority, openAuthority } from '../../targets/certificate-authority.ts';
import { describeEnvironment } from '../../targets/sampling/environment.ts';
import { startAgentInTest } from '../../testing/agent-in-test.ts';
import { conductAlone } from '../../testing/conduct-alone.ts';
import { makeNetworkHost, mayMakeHosts, type NetworkHost } from '../../testing/network-host.ts';
import { hasNginx, startNginxInTest } from '../../testing/nginx-in-test.ts';
import type { Figure } from '../figure.ts';

const scenario = scenarioSchema.parse({ name: 'Visit', steps: [{ name: 'Page', method: 'GET', path: '/' }] });
const longestMs = 5 * 60_000;

/** CPU overhead of a page on nginx, in %. */
type Overhead = { value: number; lo: number; hi: number };

/** The same comparison on loopback and across a veth pair, where an agent reads the CPU: by how much the estimates differ, and whether each lies in the other's interval. */
export async function compareAcrossLink(): Promise<Figure[]> {
  if (!mayMakeHosts || !hasNginx) {
    process.stderr.write('Network namespaces or nginx are missing, so CPU across a link is not measured.\n');
    return [];
  }
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-bench-link-'));
  const host = await makeNetworkHost();
  try {
    const authority = await openAuthority(directory);
    const here = await measure(authority, directory, null);
    const there = await measure(authority, directory, host);
    return [
      figureOf('CPU overhead on loopback', here),
      figureOf('CPU overhead across a veth pair, read by an agent', there),
      {
        ...{ bench: 'remote', figure: 'their estimates outside the other’s interval', unit: 'of 2' },
        value: [isWithin(here, there), isWithin(there, here)].filter((within) => !within).length,
        ...{ range: null, atMost: 0 },
      },
    ];
  } finally {
    await host.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** @param host where nginx and its agent run; null for this machine and the local sampler */
async function measure(authority: Authority, directory: string, host: NetworkHost | null): Promise<Overhead> {
  const nginx = await startNginxInTest(authority, ['http', 'https'], host ?? undefined);
  const agent =
    host === null
      ? null
      : await startAgentInTest(['--port', `${nginx.httpPort},${nginx.httpsPort}`], {
          ...{ host: host.address, start: host.start },
        });
  const address = host?.address ?? '127.0.0.1';
  try {
    const { metrics } = await conductAlone(
      comparison,
      {
        ...{ length: 'quote', seed: 1, scenario },
        target: {
          kind: 'origins',
          http: `http://${address}:${nginx.httpPort}`,
          https: `https://${address}:${nginx.httpsPort}`,
          trust: new X509Certificate(authority.certPem).fingerprint256,
          ...(agent === null ? {} : { agent: { address: agent.at.name, fingerprint: agent.at.fingerprint } }),
        },
      },
      {
        house: {
          ...{ dataDirectory: directory, storefrontDatabaseUrl: null, chromiumPath: null, browser: null },
          chooseScenario: async () => ({ scenario, revisionId: null }),
          permits: async () => [
            { host: address, caps: capsSchema.parse({ requestsPerS: 100_000, bytes: 1e12 }) },
          ],
        },
        environment: describeEnvironment('tls-toll bench', true),
        ...(agent === null ? {} : { secrets: { agent_token: agent.token } }),
        signal: AbortSignal.timeout(longestMs),
      },
    );
    const ratio = metrics.find(({ id }) => id === 'cpu_at_load')?.ratio;
    if (ratio == null) throw new Error('The run has no CPU overhead.');
    const percent = (value: number) => (value - 1) * 100;
    return { value: percent(ratio.center), lo: percent(ratio.lo), hi: percent(ratio.hi) };
  } finally {
    await agent?.stop();
    await nginx.stop();
  }
}

function isWithin({ value }: Overhead, { lo, hi }: Overhead): boolean {
  return lo <= value && value <= hi;
}

function figureOf(figure: string, { value, lo, hi }: Overhead): Figure {
  return { bench: 'remote', figure, value, unit: '%', range: [lo, hi], atMost: null };
}
