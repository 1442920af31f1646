import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultTlsProfile } from '../../shared/base/tls-profile.ts';
import { isEncrypted, schemeOf, type Transport, transportFacts } from '../../shared/base/transport.ts';
import type { Estimate } from '../../shared/base/units.ts';
import { type Scenario, scenarioSchema } from '../../shared/scenario/scenario.ts';
import type { Listener } from '../../shared/target/target.ts';
import { startGenerator } from '../drive/load/start-generator.ts';
import { median } from '../method/statistics/intervals.ts';
import { comparePaired } from '../method/statistics/paired.ts';
import { openAuthority } from '../targets/certificates/certificate-authority.ts';
import { isInstalled, startNginx } from './nginx.ts';
import { printTable } from './print-table.ts';

/** One tool on one cell: medians over the rounds, and the ratio to another tool with its interval. */
type GeneratorRow = {
  tool: string;
  transport: Transport;
  bytes: number;
  connections: number;
  newConnections: boolean;
  requestsPerSecond: number;
  clientCpuUsPerRequest: number;
  /** The tool that the others are divided by, in the same round. */
  reference: string;
  /** Ratio of requests per second; null for the reference itself, or with too few rounds. */
  ratio: Estimate | null;
  cpuRatio: Estimate | null;
};

type Cell = { transport: Transport; bytes: number; newConnections: boolean };

const cells: Cell[] = [
  { transport: 'http', bytes: 1024, newConnections: false },
  { transport: 'https', bytes: 1024, newConnections: false },
  { transport: 'http', bytes: 102_400, newConnections: false },
  { transport: 'https', bytes: 102_400, newConnections: false },
  { transport: 'http', bytes: 1024, newConnections: true },
  { transport: 'https', bytes: 1024, newConnections: true },
  { transport: 'https', bytes: 102_400, newConnections: true },
  { transport: 'h2c', bytes: 1024, newConnections: false },
  { transport: 'h2', bytes: 1024, newConnections: false },
  { transport: 'h2c', bytes: 102_400, newConnections: false },
  { transport: 'h2', bytes: 102_400, newConnections: false },
  { transport: 'h2', bytes: 1024, newConnections: true },
];
/** wrk does not speak HTTP/2. */
const referenceOf = (transport: Transport) =>
  transportFacts[transport].httpVersion === '2' ? 'h2load' : 'wrk';
const rounds = 8;
const seconds = 2;
const connections = 32;

/** All tools against the same nginx, file and connections, on the same core, taking turns in every round. */
export async function compareGenerators() {
  const tools = loadTools.filter((tool) => tool.program === null || isInstalled(tool.program));
  for (const tool of loadTools)
    if (!tools.includes(tool)) process.stderr.write(`${tool.name} is not installed and is left out.\n`);
  if (!isInstalled('nginx'))
    throw new Error('nginx is not installed: apt-get install nginx-light wrk nghttp2-client');
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-bench-'));
  const authority = await openAuthority(directory);
  const nginx = await startNginx(authority, [...new Set(cells.map((cell) => cell.bytes))]);
  try {
    const rows: GeneratorRow[] = [];
    for (const cell of cells) {
      rows.push(...(await compareOn(cell, nginx.ports[cell.transport], authority, tools)));
    }
    return { rows, figures: rows.map((row) => ({ cell: describe(row), ...row })), text: printRows(rows) };
  } finally {
    await nginx.stop();
    rmSync(directory, { recursive: true });
  }
}

async function compareOn(
  cell: Cell,
  port: number,
  authority: { caPem: string; hostname: string },
  tools: readonly LoadTool[],
): Promise<GeneratorRow[]> {
  const ca = isEncrypted(cell.transport) ? authority.caPem : null;
  const listener = {
    arm: 'baseline',
    transport: cell.transport,
    hostname: authority.hostname,
    address: '127.0.0.1',
    port,
    ca,
    pid: null,
  } as const;
  const order = {
    listener,
    path: `/${cell.bytes}`,
    connections,
    seconds,
    newConnections: cell.newConnections,
  };
  const taking = tools.filter((tool) => tool.takes(order));
  const windows = await takeTurns(taking, order, describe(cell));
  const reference = referenceOf(cell.transport);
  return taking.map(({ name }) => {
    const own = windows.get(name) ?? [];
    const others = name === reference ? [] : (windows.get(reference) ?? []);
    return {
      tool: name,
      ...cell,
      connections,
      requestsPerSecond: median(own.map((window) => window.requestsPerSecond)),
      clientCpuUsPerRequest: median(own.map((window) => window.clientCpuUsPerRequest)),
      reference,
      ratio: ratioOf(own, others, (window) => window.requestsPerSecond),
      cpuRatio: ratioOf(own, others, (window) => window.clientCpuUsPerRequest),
    };
  });
}

/** Windows of every tool by its name: one a round, in an order that turns around. */
async function takeTurns(
  tools: readonly LoadTool[],
  order: Order,
  title: string,
): Promise<Map<string, Window[]>> {
  const windows = new Map<string, Window[]>(tools.map((tool) => [tool.name, []]));
  const open: (OpenTool & { name: string })[] = [];
  try {
    for (const tool of tools) open.push({ name: tool.name, ...(await tool.open(order)) });
    for (let round = 0; round < rounds; round++) {
      for (const { name, run } of round % 2 === 0 ? open : open.toReversed()) {
        windows.get(name)?.push(await run());
      }
      process.stderr.write(`${title}: round ${round + 1} of ${rounds}\n`);
    }
    return windows;
  } finally {
    await Promise.all(open.map((tool) => tool.close()));
  }
}

function ratioOf(own: Window[], others: Window[], value: (window: Window) => number): Estimate | null {
  if (others.length !== own.length) return null;
  const pairs = own.flatMap((window, round) => {
    const other = others[round];
    return other === undefined ? [] : [{ a: [value(other)], b: [value(window)] }];
  });
  return comparePaired(pairs, 'ratio').ratio;
}

function printRows(rows: readonly GeneratorRow[]): string {
  const ratio = (estimate: Estimate | null) =>
    estimate === null
      ? ''
      : `${estimate.center.toFixed(2)} (${estimate.lo.toFixed(2)}–${estimate.hi.toFixed(2)})`;
  return printTable(
    ['cell', 'tool', 'requests/s', 'µs CPU/request', 'against', '× requests/s', '× CPU'],
    rows.map((row) => [
      ...[describe(row), row.tool, row.requestsPerSecond.toFixed(0), row.clientCpuUsPerRequest.toFixed(1)],
      ...[row.ratio === null ? '' : row.reference, ratio(row.ratio), ratio(row.cpuRatio)],
    ]),
  );
}

function describe({ transport, bytes, newConnections }: Cell): string {
  return `${transport}, ${bytes} B${newConnections ? ', new connections' : ''}`;
}

/** One window of load by one tool, on one core. */
type Window = { requestsPerSecond: number; clientCpuUsPerRequest: number };
type Order = {
  listener: Listener;
  path: string;
  connections: number;
  seconds: number;
  /** A full handshake, or TCP connection, for each request. */
  newConnections: boolean;
};
type LoadTool = {
  name: string;
  /** Null for what comes with this product. */
  program: string | null;
  takes(order: Order): boolean;
  open(order: Order): Promise<OpenTool>;
};
/** Runs one window after another; what compiles as it goes stays compiled. */
type OpenTool = { run(): Promise<Window>; close(): Promise<void> };

const clientCore = '1';
/** By then what runs for every request is compiled, however slow the machine is. */
const warmUpRequests = { kept: 10_000, anew: 1000 };
const speaksHttp2 = ({ listener }: Order) => transportFacts[listener.transport].httpVersion === '2';

const loadTools: LoadTool[] = [
  { name: 'tls-toll', program: null, takes: () => true, open: openOurs },
  { name: 'wrk', program: 'wrk', takes: (order) => !speaksHttp2(order), open: each(runWrk) },
  { name: 'h2load', program: 'h2load', takes: () => true, open: each(runH2load) },
];

function each(run: (order: Order) => Promise<Window>): LoadTool['open'] {
  return async (order) => ({ run: () => run(order), close: async () => {} });
}

async function openOurs(order: Order): Promise<OpenTool> {
  const { listener, path, connections, seconds, newConnections } = order;
  const generator = await startGenerator(1);
  spawnSync('taskset', ['-a', '-cp', clientCore, `${generator.pids[0]}`]);
  await generator.configure({
    listeners: [listener],
    scenario: scenarioOf(path),
    // Same settings as the others: nothing is verified, and keys are agreed in the group that all of them know.
    tls: { ...defaultTlsProfile, version: 'TLSv1.3', verify: false, group: 'X25519' },
    connectionPolicy: newConnections ? 'connection-per-request' : 'keep-alive',
    connections,
    requestTimeoutMs: 5000,
  });
  const run = async (durationMs: number) => {
    await generator.prepare('baseline');
    const result = await generator.run('baseline', { durationMs, discardMs: 0, ratePerS: null });
    const failed = result.errors[0];
    if (failed !== undefined) throw new Error(`tls-toll: ${failed.detail}`);
    return result;
  };
  // The other tools need no warming up; a just-in-time compiler does, and has it in any real run.
  for (let left = warmUpRequests[newConnections ? 'anew' : 'kept']; left > 0; )
    left -= (await run(500)).requests;
  return {
    async run() {
      const { requests, elapsedUs, generatorCpuUs } = await run(seconds * 1000);
      return windowOf(requests, elapsedUs / 1e6, generatorCpuUs / 1e6);
    },
    close: () => generator.stop(),
  };
}

function scenarioOf(path: string): Scenario {
  return scenarioSchema.parse({ name: 'file', steps: [{ name: 'file', method: 'GET', path }] });
}

async function runWrk(order: Order): Promise<Window> {
  const close = order.newConnections ? ['-H', 'Connection: close'] : [];
  const args = ['-t1', `-c${order.connections}`, `-d${order.seconds}s`, ...close, urlOf(order)];
  const { output, cpuS } = await timed('wrk', args);
  const [, requests, seconds] = /(\d+) requests in ([\d.]+)s/.exec(output) ?? [];
  return windowOf(Number(requests), Number(seconds), cpuS);
}

/**
 * h2load opens no second connection for a client: for new connections it gets as many clients as requests. It is given a
 * number of requests, as with a duration it may wait for ever for the last of them.
 */
async function runH2load(order: Order): Promise<Window> {
  const requests = (order.newConnections ? 500 : 5000) * order.seconds;
  const amount = [`-n${requests}`, `-c${order.newConnections ? requests : order.connections}`];
  const version = speaksHttp2(order) ? [] : ['--h1'];
  const { output, cpuS } = await timed('h2load', [...version, '-t1', ...amount, urlOf(order)]);
  const [, perSecond] = /([\d.]+) req\/s/.exec(output) ?? [];
  const [, done] = /(\d+) succeeded/.exec(output) ?? [];
  return windowOf(Number(done), Number(done) / Number(perSecond), cpuS);
}

function windowOf(requests: number, seconds: number, cpuS: number): Window {
  return { requestsPerSecond: requests / seconds, clientCpuUsPerRequest: (cpuS / requests) * 1e6 };
}

function urlOf({ listener, path }: Order): string {
  return `${schemeOf(listener.transport)}://${listener.address}:${listener.port}${path}`;
}

/** Runs a program on the client's core; its CPU is what the shell's own accounting says of it. */
async function timed(program: string, args: string[]): Promise<{ output: string; cpuS: number }> {
  const script = 'TIMEFORMAT="cpu %3U %3S"; time "$@"';
  const child = spawn('taskset', ['-c', clientCore, 'bash', '-c', script, 'bash', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let accounting = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    accounting += text;
  });
  await once(child, 'close');
  const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(accounting) ?? [];
  return { output, cpuS: Number(user) + Number(system) };
}
