import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { capsSchema } from '../../../shared/target/permitted-target.ts';
import { pinToCores } from '../../base/process/pin-to-cores.ts';
import { productVersion } from '../../edge/product-version.ts';
import { comparison } from '../../kinds/comparison/kind.ts';
import { median } from '../../method/statistics/quantile.ts';
import { describeEnvironment } from '../../targets/sampling/environment.ts';
import { conductAlone } from '../../testing/conduct-alone.ts';
import { type HostsInTest, openHostsInTest } from '../../testing/hosts-in-test.ts';
import type { Figure } from '../figure.ts';
import { delayHosts } from './delay-hosts.ts';

const scenario = scenarioSchema.parse({ name: 'Visit', steps: [{ name: 'Page', method: 'GET', path: '/' }] });
const longestMs = 5 * 60_000;
const usualRuns = 3;
const counts = [1, 3] as const;

/** Of one run: CPU overhead at load in %, half of its interval, and what its hosts did. */
type Run = { percent: number; halfWidth: number; idlePercent: number; missing: number };

type Choice = {
  runs: number | null;
  seed: number;
  /** A round trip between hosts that generate and all else, beyond what it takes. */
  delayMs?: number;
};

/** The same question asked from one host and from three, by turns: whether they agree, and how much the hosts wait for each other. */
export async function measureAgreement({ runs, seed, delayMs }: Choice): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-bench-hosts-'));
  const opened = new AsyncDisposableStack();
  opened.defer(() => rmSync(directory, { recursive: true, force: true }));
  try {
    const hosts = await openHostsInTest({ directory, count: Math.max(...counts), version: productVersion() });
    opened.defer(hosts.close);
    await keepApart(hosts);
    if (delayMs !== undefined) opened.defer((await delayHosts(hosts, delayMs)).stop);
    const of = new Map<number, Run[]>(counts.map((count) => [count, []]));
    for (let run = 0; run < (runs ?? usualRuns); run++) {
      for (const count of counts) of.get(count)?.push(await measure(hosts, directory, count, seed + run));
    }
    const added = delayMs === undefined ? '' : `, ${delayMs} ms away`;
    return [...of].flatMap(([count, all]) => figuresOf(count, all, added));
  } finally {
    await opened.disposeAsync();
  }
}

/** The target with its agent on one core, all else on another. */
async function keepApart({ nginx, agent, generators }: HostsInTest): Promise<void> {
  await pinToCores([process.pid, ...generators.flatMap(({ running }) => running.child.pid ?? [])], [1]);
  await pinToCores([nginx.pid, ...(agent.child.pid === undefined ? [] : [agent.child.pid])], [0]);
}

async function measure(hosts: HostsInTest, directory: string, count: number, seed: number): Promise<Run> {
  const caps = capsSchema.parse({ requestsPerS: 100_000, bytes: 1e12 });
  const before = requestsIn(hosts);
  const document = await conductAlone(
    comparison,
    { length: 'first', seed, scenario, connections: 12, generatorHosts: count, target: hosts.origins },
    {
      house: {
        ...{ dataDirectory: directory, storefrontDatabaseUrl: null, chromiumPath: null, browser: null },
        chooseScenario: async () => ({ scenario, revisionId: null }),
        permits: async () => [{ host: hosts.target.address, caps }],
        generatorHosts: hosts.pool,
      },
      environment: describeEnvironment('tls-toll bench', true),
      secrets: { agent_token: hosts.agent.token },
      signal: AbortSignal.timeout(longestMs),
    },
  );
  return runOf(document, requestsIn(hosts) - before);
}

function requestsIn({ nginx, generators }: HostsInTest): number {
  return generators.reduce((sum, { host }) => sum + nginx.requestsFrom(host.address).length, 0);
}

/** @param logged requests in the log of the target meanwhile */
function runOf({ metrics, hosts }: RunDocument, logged: number): Run {
  const ratio = metrics.find(({ id }) => id === 'cpu_at_load')?.ratio;
  if (ratio == null || hosts === undefined) throw new Error('The run has no CPU overhead.');
  return {
    percent: (ratio.center - 1) * 100,
    halfWidth: ((ratio.hi - ratio.lo) / 2) * 100,
    idlePercent: hosts.idleShare * 100,
    missing: Math.abs(logged - hosts.hosts.reduce((sum, { requests }) => sum + requests, 0)),
  };
}

function figuresOf(count: number, runs: readonly Run[], added: string): Figure[] {
  const from = `${count === 1 ? 'from one host' : `from ${count} hosts`}${added}`;
  const figure = (name: string, pick: (run: Run) => number, unit: string, atMost: number | null): Figure => {
    const values = runs.map(pick);
    const range: [number, number] = [Math.min(...values), Math.max(...values)];
    return { bench: 'hosts', figure: `${name} ${from}`, value: median(values), unit, range, atMost };
  };
  return [
    figure('CPU overhead', ({ percent }) => percent, '%', null),
    figure('half of its interval', ({ halfWidth }) => halfWidth, 'points', null),
    figure('waiting between bursts', ({ idlePercent }) => idlePercent, '% of the time', 10),
    figure('requests that the target did not log, or logged besides', ({ missing }) => missing, '', 0),
  ];
}
