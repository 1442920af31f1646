import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';
import type { CostGroup } from '../../shared/kinds/explain/cost-groups.ts';
import { groupTitles } from '../../shared/kinds/explain/cost-groups.ts';
import type { ExplainDocument } from '../../shared/kinds/explain/explain.ts';
import { runChild } from '../base/process/children.ts';
import { explain } from '../kinds/explain/kind.ts';
import { launchInterval } from '../method/statistics/launch-interval.ts';
import { openChain } from '../targets/certificate-authority.ts';
import type { RunHouse } from '../targets/open-target.ts';
import { describeEnvironment } from '../targets/sampling/environment.ts';
import { perturbable } from '../targets/storefront/perturbation.ts';
import { burntOn } from '../testing/burnt-us.ts';
import { conductAlone } from '../testing/conduct-alone.ts';
import { startNginxInTest } from '../testing/nginx-in-test.ts';
import { noPerturbation } from '../testing/no-perturbation.ts';
import { announceTime, type BenchOptions } from './bench-options.ts';
import { printTable } from './print-table.ts';

/** Bytes of the page of nginx. */
const pageBytes = 20_000;
const injectedUs = 50;
const usualLaunches = 5;
const speedRuns = 5;
const burnCalls = 20_000;

type Case = {
  name: string;
  group: CostGroup;
  suite: string;
  key: 'P-256' | 'RSA-2048';
  connectionPolicy: 'keep-alive' | 'connection-per-request';
  /** What a request takes: arguments of `openssl speed`, and the cost by what it printed, µs. */
  parts: { speed: string[]; costUs(printed: string): number }[];
};

/** The records of an answer, with its headers, and that of a request; each costs more than its bytes. */
const records = [
  { bytes: 16_384, also: [] },
  { bytes: pageBytes + 240 - 16_384, also: [] },
  { bytes: 90, also: ['-decrypt'] },
];

const cipher = (name: string, suite: string): Case => ({
  ...{ name, suite, group: 'encryption', key: 'P-256', connectionPolicy: 'keep-alive' },
  parts: records.map(({ bytes, also }) => ({
    speed: ['-aead', ...also, '-bytes', `${bytes}`, '-evp', name.toLowerCase()],
    costUs: (printed) => bytes / (lastNumber(/^\S+\s+([\d.]+)k\s*$/m, printed) / 1000),
  })),
});

const cases: Case[] = [
  cipher('AES-256-GCM', 'TLS_AES_256_GCM_SHA384'),
  cipher('ChaCha20-Poly1305', 'TLS_CHACHA20_POLY1305_SHA256'),
  {
    ...{ name: 'RSA-2048, new connections', group: 'signature', suite: 'TLS_AES_256_GCM_SHA384' },
    ...{ key: 'RSA-2048', connectionPolicy: 'connection-per-request' },
    parts: [
      {
        speed: ['rsa2048', 'ecdhx25519'],
        // A key of X25519 costs about what agreeing with it does.
        costUs: (printed) =>
          1e6 / lastNumber(/^rsa 2048 bits\s+\S+\s+\S+\s+([\d.]+)/m, printed) +
          2e6 / lastNumber(/X25519\)\s+\S+\s+([\d.]+)/m, printed),
      },
    ],
  },
];

type Row = { name: string; of: string; foundUs: Estimate; expectedUs: Estimate };

/** Whether the group that should grow does, and by how much: nginx beside `openssl speed` of the library that it links, and 50 µs of a named function. */
export async function proveExplanations({
  runs,
  signal,
}: BenchOptions): Promise<{ rows: Row[]; text: string }> {
  const launches = Math.max(3, runs ?? usualLaunches);
  announceTime(`${cases.length + 1} explanations of ${launches} launches`, (cases.length + 1) * launches * 9);
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-bench-explain-'));
  try {
    const rows: Row[] = [];
    const keep = (row: Row) => {
      process.stderr.write(`${row.name}: ${printUs(row.foundUs)}, expected ${printUs(row.expectedUs)}\n`);
      rows.push(row);
    };
    for (const each of cases) keep(await explainNginx(each, launches, directory, signal));
    keep(await explainInjected(launches, directory, signal));
    const text = printTable(
      ['', 'Of', 'Explained, µs', 'Expected, µs', 'Intervals meet'],
      rows.map(({ name, of, foundUs, expectedUs }) => [
        ...[name, of, printUs(foundUs), printUs(expectedUs)],
        foundUs.lo <= expectedUs.hi && expectedUs.lo <= foundUs.hi ? 'yes' : 'no',
      ]),
    );
    return { rows, text };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function explainNginx(
  { name, group, suite, key, connectionPolicy, parts }: Case,
  launches: number,
  dataDirectory: string,
  signal: AbortSignal,
): Promise<Row> {
  const identity = await openChain(join(dataDirectory, 'authority'), key, 0);
  const terms = `TLSv1.3;\n    ssl_conf_command Ciphersuites ${suite};\n    ssl_ecdh_curve X25519;\n    ssl_session_tickets off`;
  const nginx = await startNginxInTest(identity as never, ['http', 'https'], undefined, terms);
  try {
    const target = {
      ...{ kind: 'origins', ca: identity.caPem, http: `http://127.0.0.1:${nginx.httpPort}` },
      https: `https://127.0.0.1:${nginx.httpsPort}`,
    };
    const asked = { target, connectionPolicy, launches };
    const { groups } = await explainAlone(asked, { dataDirectory }, signal);
    const foundUs = groups.find((each) => each.group === group)?.delta;
    if (foundUs === undefined) throw new Error('fewer launches than an interval needs');
    return { name, of: groupTitles[group], foundUs, expectedUs: await askSpeed(parts, signal) };
  } finally {
    await nginx.stop();
  }
}

async function explainInjected(launches: number, dataDirectory: string, signal: AbortSignal): Promise<Row> {
  const document = await explainAlone(
    { server: 'storefront', path: '/favicon.ico', launches },
    {
      dataDirectory,
      perturbation: ({ arm }) => (arm === 'comparison' ? { ...noPerturbation, cpuUs: injectedUs } : null),
    },
    signal,
  );
  const burnt = askBurn();
  const found = burntOn('comparison', document);
  const spread = (1.96 * found.us) / Math.sqrt(found.samples);
  return {
    ...{ name: 'Storefront, burdened', of: 'burn()' },
    foundUs: { center: found.us, lo: found.us - spread, hi: found.us + spread },
    expectedUs: { center: burnt.center, lo: burnt.lo - 5, hi: burnt.hi + 5 },
  };
}

function explainAlone(
  asked: object,
  house: Partial<RunHouse>,
  signal: AbortSignal,
): Promise<ExplainDocument> {
  return conductAlone(
    explain,
    { kind: 'explain', ...asked },
    {
      house: { dataDirectory: '', storefrontDatabaseUrl: null, chromiumPath: null, ...house },
      environment: describeEnvironment('bench', true),
      signal,
    },
  );
}

/** Of several runs of `openssl speed`, with their interval; it counts CPU time. */
async function askSpeed(parts: Case['parts'], signal: AbortSignal): Promise<Estimate> {
  const costs: { launch: number; value: number }[] = [];
  for (let launch = 0; launch < speedRuns; launch++) {
    let value = 0;
    for (const { speed, costUs } of parts) {
      const asked = { timeout: 60_000, signal };
      const { stdout } = await runChild('openssl', ['speed', '-seconds', '1', ...speed], asked);
      value += costUs(stdout);
    }
    costs.push({ launch, value });
  }
  return estimateOf(costs);
}

/** What burning costs by this process's own count of its CPU: it counts too, and ends a little late. */
function askBurn(): Estimate {
  const { listener, perturb } = perturbable(() => {});
  perturb({ ...noPerturbation, cpuUs: injectedUs });
  const costs = Array.from({ length: speedRuns }, (_, launch) => {
    const before = process.cpuUsage();
    for (let call = 0; call < burnCalls; call++) listener({} as IncomingMessage, {} as ServerResponse);
    const { user, system } = process.cpuUsage(before);
    return { launch, value: (user + system) / burnCalls };
  });
  return estimateOf(costs);
}

function estimateOf(costs: { launch: number; value: number }[]): Estimate {
  const found = launchInterval(costs, 0.95);
  if (found === null) throw new Error('fewer runs than an interval needs');
  return { center: found.center, lo: found.lo, hi: found.hi };
}

function lastNumber(pattern: RegExp, text: string): number {
  const found = Number(pattern.exec(text)?.[1]);
  if (!(found > 0)) throw new Error(`openssl speed printed no figure: ${text}`);
  return found;
}

function printUs({ center, lo, hi }: Estimate): string {
  return `${center.toFixed(1)} (${lo.toFixed(1)} to ${hi.toFixed(1)})`;
}
