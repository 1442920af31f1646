import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isEncrypted, type Transport, transportFacts } from '../../shared/base/transport.ts';
import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';
import { alignColumns, textOf } from '../base/text/terminal-parts.ts';
import { comparePaired } from '../method/statistics/compare-paired.ts';
import { median } from '../method/statistics/quantile.ts';
import { openAuthority } from '../targets/certificate-authority.ts';
import { type LoadTool, loadTools, type OpenTool, type Order, type Window } from './load-tool.ts';
import { isInstalled, startNginx } from './nginx.ts';

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
  /** Of requests per second; null for the reference itself, or with too few rounds. */
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
/** What is compared with: the common tool; over HTTP/2, what this runtime has of its own. */
const referenceOf = (transport: Transport) =>
  transportFacts[transport].httpVersion === '2' ? 'node:http2' : 'wrk';
const rounds = 8;
const seconds = 2;
const connections = 32;

/** All tools against the same nginx, file and connections, on the same core, taking turns in every round. */
export async function compareGenerators(of: readonly Cell[] = cells): Promise<GeneratorRow[]> {
  const tools = loadTools.filter((tool) => tool.program === null || isInstalled(tool.program));
  for (const tool of loadTools)
    if (!tools.includes(tool)) process.stderr.write(`${tool.name} is not installed and is left out.\n`);
  if (!isInstalled('nginx'))
    throw new Error('nginx is not installed: apt-get install nginx-light wrk nghttp2-client');
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-bench-'));
  const authority = await openAuthority(directory);
  const nginx = await startNginx(authority, [...new Set(of.map((cell) => cell.bytes))]);
  try {
    const rows: GeneratorRow[] = [];
    for (const cell of of) {
      rows.push(...(await compareOn(cell, nginx.ports[cell.transport], authority, tools)));
    }
    return rows;
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

export function printGeneratorRows(rows: readonly GeneratorRow[]): string {
  const ratio = (estimate: Estimate | null) =>
    estimate === null
      ? ''
      : `${estimate.center.toFixed(2)} (${estimate.lo.toFixed(2)}–${estimate.hi.toFixed(2)})`;
  return textOf(
    alignColumns(
      [
        ['cell', 'tool', 'requests/s', 'µs CPU/request', 'against', '× requests/s', '× CPU'],
        ...rows.map((row) => [
          describe(row),
          row.tool,
          row.requestsPerSecond.toFixed(0),
          row.clientCpuUsPerRequest.toFixed(1),
          row.ratio === null ? '' : row.reference,
          ratio(row.ratio),
          ratio(row.cpuRatio),
        ]),
      ],
      'llrrlr',
    ),
  );
}

function describe({ transport, bytes, newConnections }: Cell): string {
  return `${transport}, ${bytes} B${newConnections ? ', new connections' : ''}`;
}
