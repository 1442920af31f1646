import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Estimate } from '../../shared/comparison.ts';
import type { Transport } from '../../shared/transport.ts';
import { comparePaired } from '../statistics/compare-paired.ts';
import { median } from '../statistics/quantile.ts';
import { openAuthority } from '../target/certificate-authority.ts';
import { alignColumns, textOf } from '../text/terminal-parts.ts';
import { type LoadTool, loadTools, type Window } from './load-tool.ts';
import { isInstalled, startNginx } from './nginx.ts';

/** One tool on one cell: medians over the rounds, and the ratio to wrk with its interval. */
export type GeneratorRow = {
  tool: string;
  transport: Transport;
  bytes: number;
  connections: number;
  newConnections: boolean;
  requestsPerSecond: number;
  clientCpuUsPerRequest: number;
  /** Requests per second, ours or theirs, divided by wrk's in the same round; null for wrk, or with too few rounds. */
  ratioToWrk: Estimate | null;
  cpuRatioToWrk: Estimate | null;
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
];
const rounds = 8;
const seconds = 2;
const connections = 32;

/** All tools against the same nginx, file and connections, on the same core, taking turns in every round. */
export async function compareGenerators(): Promise<GeneratorRow[]> {
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
      const port = cell.transport === 'http' ? nginx.httpPort : nginx.httpsPort;
      rows.push(...(await compareOn(cell, port, authority, tools)));
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
  const ca = cell.transport === 'https' ? authority.caPem : null;
  const listener = {
    arm: 'baseline',
    transport: cell.transport,
    hostname: authority.hostname,
    address: '127.0.0.1',
    port,
    ca,
    pid: null,
  } as const;
  const taking = tools.filter((tool) => tool.reconnects || !cell.newConnections);
  const windows = new Map<string, Window[]>(taking.map((tool) => [tool.name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const tool of round % 2 === 0 ? taking : taking.toReversed()) {
      const order = {
        listener,
        path: `/${cell.bytes}`,
        connections,
        seconds,
        newConnections: cell.newConnections,
      };
      windows.get(tool.name)?.push(await tool.run(order));
    }
    process.stderr.write(
      `${cell.transport}, ${cell.bytes} bytes${cell.newConnections ? ', new connections' : ''}: round ${round + 1} of ${rounds}\n`,
    );
  }
  const ofWrk = windows.get('wrk') ?? [];
  return taking.map(({ name }) => {
    const own = windows.get(name) ?? [];
    return {
      tool: name,
      ...cell,
      connections,
      requestsPerSecond: median(own.map((window) => window.requestsPerSecond)),
      clientCpuUsPerRequest: median(own.map((window) => window.clientCpuUsPerRequest)),
      ratioToWrk: ratioOf(own, ofWrk, name, (window) => window.requestsPerSecond),
      cpuRatioToWrk: ratioOf(own, ofWrk, name, (window) => window.clientCpuUsPerRequest),
    };
  });
}

function ratioOf(
  own: Window[],
  ofWrk: Window[],
  name: string,
  value: (window: Window) => number,
): Estimate | null {
  if (name === 'wrk' || ofWrk.length !== own.length) return null;
  const pairs = own.flatMap((window, round) => {
    const other = ofWrk[round];
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
        ['cell', 'tool', 'requests/s', 'µs CPU/request', 'requests/s ÷ wrk', 'CPU ÷ wrk'],
        ...rows.map((row) => [
          `${row.transport}, ${row.bytes} B${row.newConnections ? ', new connections' : ''}`,
          row.tool,
          row.requestsPerSecond.toFixed(0),
          row.clientCpuUsPerRequest.toFixed(1),
          ratio(row.ratioToWrk),
          ratio(row.cpuRatioToWrk),
        ]),
      ],
      'llr',
    ),
  );
}
