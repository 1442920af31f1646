import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type RunDocument, runDocumentSchema } from '../../shared/kinds/comparison/run.ts';
import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import {
  type MemoryLadder,
  type PricesDocument,
  pricesDocumentSchema,
  pricesRequestSchema,
} from '../../shared/kinds/prices/prices.ts';
import { pathScenario } from '../../shared/scenario/scenario.ts';
import type { ServerName } from '../../shared/target/server-options.ts';
import { connectTo } from '../edge/commands/api-client.ts';
import { realApparatus } from '../kinds/apparatus.ts';
import { climbLadder } from '../kinds/prices/conduct-memory.ts';
import { conductPrices } from '../kinds/prices/conduct-prices.ts';
import { prices as kind } from '../kinds/prices/kind.ts';
import { listPrices, slopeOf } from '../kinds/prices/price-list.ts';
import { predictRun } from '../kinds/prices/price-predictions.ts';
import { findServers } from '../targets/managed/find-servers.ts';
import { describeEnvironment } from '../targets/sampling/machine.ts';
import { conductAlone } from '../testing/conduct-alone.ts';
import {
  announceTime,
  askLeft,
  type Ledger,
  type LongOptions,
  openBenchDirectory,
  openDashboard,
  openLedger,
} from './bench-options.ts';
import { openPlace } from './open-place.ts';
import { performMeasurement } from './perform-run.ts';
import { type MemoryRow, type Proven, printProof, tallyServer } from './prices-tally.ts';

const servers = ['nginx', 'apache', 'haproxy', 'caddy', 'node'] as const satisfies ServerName[];

/** No price is read from any of them. A share of new connections resumes. */
const traffics = [
  { bytes: [1000], each: 1, resumed: 0 },
  { bytes: [30_000], each: 3, resumed: 0.9 },
  { bytes: [2000, 500_000], each: 8, resumed: 0.5 },
  { bytes: [1000, 8000, 100_000], each: 30, resumed: 0 },
  { bytes: [10_000], each: 1, resumed: 0.5 },
  { bytes: [700_000], each: 10, resumed: 0.9 },
  { bytes: [2000], each: 3, resumed: 0 },
  { bytes: [1000, 30_000, 1_000_000], each: 100, resumed: 0.9 },
  { bytes: [100_000], each: 1, resumed: 0.9 },
  { bytes: [10_000], each: 10, resumed: 0 },
  { bytes: [30_000], each: 30, resumed: 0.5 },
  { bytes: [150_000], each: 100, resumed: 0.5 },
];

/** Duration of each half of a list, and of HTTP beside HTTP. */
const listS = 45;
/** Starting and warming up. */
const beforeListS = 15;
const memoryS = 60;
const touchedBytes = 32_768;
const processes = 3;

const runPartsSchema = runDocumentSchema.pick({
  ...({ sides: true, scenario: true, preflight: true, connections: true } as const),
  ...({ fairness: true, metrics: true, atLoad: true } as const),
});
const keptRunSchema = z.strictObject({ said: z.string(), run: runPartsSchema.nullable() });
type KeptRun = z.infer<typeof keptRunSchema>;

type Bench = {
  url: string;
  directory: string;
  lists: Ledger<PricesDocument>;
  runs: Ledger<KeptRun>;
  options: LongOptions;
};

/**
 * The price lists of several servers beside runs of mixed traffics: each list in two halves, before the runs and after them. Then HTTP priced
 * beside HTTP, and the memory of a program that touches a known amount. `only` lists servers and `memory`, separated by commas; `runs` is
 * the number of traffics per server.
 */
export async function provePrices(options: LongOptions) {
  const wanted = options.only?.split(',').map((name) => name.trim()) ?? [...servers, 'memory'];
  const here = findServers().flatMap(({ name, installed }) => (installed ? [name] : []));
  const chosen = servers.filter((name) => wanted.includes(name) && here.includes(name));
  const isTouching = wanted.includes('memory');
  if (chosen.length === 0 && !isTouching)
    throw new Error(
      `Nothing here is called ${options.only}. There are ${[...servers, 'memory'].join(', ')}.`,
    );
  const directory = openBenchDirectory('prices', options.resume);
  const dashboard = await openDashboard(directory);
  const bench: Bench = {
    ...{ url: dashboard.url, directory, options },
    lists: openLedger(join(directory, 'lists.jsonl'), pricesDocumentSchema),
    runs: openLedger(join(directory, 'runs.jsonl'), keptRunSchema),
  };
  const proven: Proven[] = [];
  try {
    const memory = isTouching ? await touchMemory(options.signal) : [];
    for (const server of chosen) {
      if (options.signal.aborted) break;
      const each = await proveServer(server, bench);
      if (each !== null) proven.push(each);
    }
    const rows = proven.map(tallyServer);
    return { rows: [...rows, ...memory], text: printProof(proven, rows, memory) };
  } finally {
    await dashboard.close();
  }
}

/** Null without the first half of the list. */
async function proveServer(server: ServerName, bench: Bench): Promise<Proven | null> {
  const { runs, options } = bench;
  const asked = traffics.slice(0, options.runs ?? traffics.length).map((traffic, nth) => ({
    ...{ key: `${server} ${nth}`, traffic },
    request: { ...requestOf(server, traffic), seed: options.seed + nth },
  }));
  const first = await listOf(server, 'first', bench);
  if (first === null) return null;
  await askLeft(asked, { url: bench.url, ledger: runs, runs: null, signal: options.signal }, keepRun);
  const second = await listOf(server, 'second', bench);
  const control = await listOf(server, 'control', bench);
  const list = second === null ? first : wholeOf(first, second);
  return {
    server,
    proofs: asked.flatMap(({ key, traffic }) => {
      const kept = runs.get(key);
      if (kept === undefined) return [];
      const found = kept.run === null ? kept.said : predictRun(list, kept.run);
      return [{ traffic: `${traffic.bytes.join(' + ')} bytes, ${traffic.each} per connection`, found }];
    }),
    halves: [first, second].flatMap((half) => (half === null ? [] : [half.items])),
    control: control?.items ?? null,
    memory: second?.items.find(({ id }) => id === 'memory') ?? null,
  };
}

function requestOf(server: ServerName, { bytes, each, resumed }: (typeof traffics)[number]): RunRequestInput {
  const [first = 0, ...others] = bytes;
  return {
    target: { kind: 'managed', server, documents: bytes },
    scenario: pathScenario([`/${first}.html`, ...others.map((size) => `/${size}.html`)], null),
    ...({ connectionPolicy: 'requests-per-connection', requestsPerConnection: each } as const),
    ...(resumed === 0 ? {} : { tls: { resumption: 'mix', resumedShare: resumed } as const }),
  };
}

/** Without the values of each sample, which are most of it. */
function keepRun(document: RunDocument | null, { said }: { said: string }): KeptRun {
  if (document === null || document.state !== 'finished') return { said, run: null };
  const { sides, scenario, preflight, connections, fairness, metrics, atLoad } = document;
  const cpu = metrics.filter(({ id }) => id === 'cpu_at_load');
  return {
    said,
    run: {
      ...{ sides, scenario, preflight, connections, fairness, atLoad },
      metrics: cpu.map((row) => ({ ...row, pairs: [], launches: [] })),
    },
  };
}

type Part = 'first' | 'second' | 'control';

/** Measured, unless the ledger has it; null where the bench was interrupted, or where it failed, which the next call makes up for. */
async function listOf(server: ServerName, part: Part, bench: Bench): Promise<PricesDocument | null> {
  const { lists, options, url, directory } = bench;
  const key = `${server} ${part}`;
  const kept = lists.get(key);
  if (kept !== undefined) return kept;
  // Node collects garbage, so its processes differ: shown, not promised.
  const memory = part === 'second' && (server === 'nginx' || server === 'node');
  announceTime(`A list of ${key}`, listS + beforeListS + (memory ? memoryS : 0));
  const target = { kind: 'managed' as const, server };
  const request = { kind: 'prices' as const, target, seconds: listS, memory, seed: options.seed };
  try {
    const document =
      part === 'control'
        ? await conductControl(request, directory, options.signal)
        : await measureList(request, url, options.signal);
    lists.keep(key, document);
    return document;
  } catch (error) {
    if (!options.signal.aborted)
      process.stderr.write(`${key}: ${error instanceof Error ? error.message : error}\n`);
    return null;
  }
}

async function measureList(
  request: { kind: 'prices' } & Record<string, unknown>,
  url: string,
  signal: AbortSignal,
): Promise<PricesDocument> {
  const created = await performMeasurement(url, request, { signal });
  const text = await connectTo({ url, key: null }).readDocument(created.url);
  const document = pricesDocumentSchema.parse(JSON.parse(text));
  if (document.problem !== null) throw new Error(document.problem.detail);
  return document;
}

/** HTTP on both sides, which no user can ask for: every difference is noise. */
function conductControl(
  request: object,
  dataDirectory: string,
  signal: AbortSignal,
): Promise<PricesDocument> {
  const times = { rounds: 12, warmUpMs: 6000, processes, transports: ['http', 'http'] as const };
  const control: typeof kind = {
    ...kind,
    conduct: (task, watch, house) => conductPrices(task, watch, house, times),
  };
  return conductAlone(control, request, {
    house: { dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null },
    environment: describeEnvironment('bench', true),
    signal,
  });
}

/** Both halves as one list, which the runs are in the middle of. */
function wholeOf(first: PricesDocument, second: PricesDocument): PricesDocument {
  const later = second.rounds.map((each) => ({ ...each, round: each.round + first.rounds.length }));
  const rounds = [...first.rounds, ...later];
  return { ...first, rounds, items: listPrices(first, rounds).items };
}

const source = fileURLToPath(new URL('./touch-memory.c', import.meta.url));

/** Three processes of a program that touches exactly as much memory for each open connection. */
async function touchMemory(signal: AbortSignal): Promise<MemoryRow[]> {
  announceTime('Memory that is known', processes * 10);
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-touching-'));
  const program = join(directory, 'touch-memory');
  const bytes: number[] = [];
  try {
    const built = spawnSync('cc', ['-O2', '-o', program, source], { encoding: 'utf8' });
    if (built.status !== 0) throw new Error(built.stderr ?? 'Not installed: cc (Debian package gcc).');
    for (let process = 0; process < processes; process++) {
      signal.throwIfAborted();
      const ladder = await climb(program, signal);
      if (ladder.problem !== null) throw new Error(ladder.problem);
      bytes.push(slopeOf(ladder));
    }
    return [{ bench: 'prices', memory: 'touch-memory', bytes, touched: touchedBytes }];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function climb(program: string, signal: AbortSignal): Promise<MemoryLadder> {
  const place = await openPlace();
  try {
    const port = await place.freePort();
    const pid = await place.start(program, [String(port), String(touchedBytes)], port);
    const address = '127.0.0.1';
    const listener = {
      ...({ arm: 'baseline', transport: 'http', hostname: address, address, port, ca: null, pid } as const),
    };
    const request = pricesRequestSchema.parse({
      kind: 'prices',
      target: { http: `http://${address}:${port}` },
    });
    return await climbLadder('baseline', listener, request, realApparatus, signal);
  } finally {
    await place.close();
  }
}
