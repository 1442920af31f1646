import { join } from 'node:path';
import { z } from 'zod';
import { certificateCodecs } from '../../shared/base/tls.ts';
import { type Estimate, estimateSchema } from '../../shared/base/units.ts';
import { roundTripsOfFlight } from '../../shared/kinds/comparison/link.ts';
import { questions } from '../../shared/kinds/comparison/questions.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import {
  certificatesInWords,
  type HandshakesDocument,
  handshakesDocumentSchema,
  type MeasuredCell,
  measuredOf,
} from '../../shared/kinds/handshakes/handshakes.ts';
import { cellOf } from '../kinds/handshakes/handshake-axes.ts';
import { askLeft, type LongOptions, openBenchDirectory, openDashboard, openLedger } from './bench-options.ts';
import { performDocument } from './perform-run.ts';
import { printTable } from './print-table.ts';

/** Each question and the lab’s grid are asked this often. */
const usualTimes = 2;

const node = (certificates: { key: 'P-256' | 'RSA-2048'; chain: number }) => ({
  ...{ target: { kind: 'managed' as const, server: 'node' as const, ...certificates } },
  ...{
    sides: questions['certificate-compression'].sides,
    connectionPolicy: 'connection-per-transaction' as const,
    // The bytes of a hybrid share would be most of a small flight.
    tls: { group: 'X25519' },
  },
});

/** By what is compressed. With an initial window of 2 segments, the last chain fits into it only when it is compressed. */
const asked: Record<string, RunRequestInput> = {
  'P-256, 1 intermediate': node({ key: 'P-256', chain: 1 }),
  'RSA-2048, 2 intermediates': node({ key: 'RSA-2048', chain: 2 }),
  'RSA-2048, 2 intermediates, over 100 ms with an initial window of 2': {
    ...node({ key: 'RSA-2048', chain: 2 }),
    link: '100ms,iw2',
  },
};

const grid = {
  keys: ['P-256', 'RSA-2048', 'ML-DSA-44', 'ML-DSA-65'],
  chains: [0, 1, 2],
  compression: ['none', ...certificateCodecs],
  resumption: ['full'],
};
/** Connections per combination, enough for the CPU of each end: about 40 s. */
const connections = 120;

/**
 * Compressed certificates: the bytes, round trips, and CPU of chains in the lab, and new connections by pairs of a plain and a compressed
 * side. `runs` is how often each is asked.
 */
export async function compareCompression({ runs, seed, signal, resume }: LongOptions) {
  const directory = openBenchDirectory('compression', resume);
  const times = Array.from({ length: runs ?? usualTimes }, (_, time) => time);
  const ledger = openLedger(join(directory, 'results.jsonl'), observedSchema);
  const server = await openDashboard(directory);
  try {
    const grids: HandshakesDocument[] = [];
    for (const time of times) {
      process.stderr.write(`The lab’s grid, ${time + 1} of ${times.length} …\n`);
      const request = { kind: 'handshakes' as const, grid, connections, seed: seed + time };
      grids.push(await performDocument(server.url, request, handshakesDocumentSchema, { signal }));
    }
    const runsOf = (name: string) => times.map((time) => ({ time, key: `${name}, ${time + 1}` }));
    const planned = times.flatMap((time) =>
      Object.entries(asked).map(([name, request]) => ({
        key: `${name}, ${time + 1}`,
        request: { ...request, seed: seed + time },
      })),
    );
    await askLeft(planned, { url: server.url, ledger, runs: null, signal }, observe);
    const chains = chainRows(grids);
    const pairs = Object.keys(asked).map((certificates) => ({
      ...{ bench: 'compression', certificates },
      runs: runsOf(certificates).flatMap(({ key }) => ledger.get(key) ?? []),
    }));
    const figures = [
      ...chains,
      ...pairs.map(({ runs: each, ...row }) => ({ ...row, runs: each.map(figuresOf) })),
    ];
    return { rows: [...chains, ...pairs], figures, text: `${printChains(chains)}\n${printPairs(pairs)}` };
  } finally {
    await server.close();
  }
}

const observedSchema = z.strictObject({
  seconds: z.number().nonnegative(),
  /** Bytes of the server in a full handshake. */
  plainBytes: z.int().nullable(),
  compressedBytes: z.int().nullable(),
  /** Server CPU per new connection at full load, and the time of a transaction with one user. */
  cpuUs: estimateSchema.nullable(),
  cpuControl: estimateSchema.nullable(),
  latencyUs: estimateSchema.nullable(),
  /** The verdict, or why there is none. */
  said: z.string(),
});
type Observed = z.infer<typeof observedSchema>;

function observe(
  document: RunDocument | null,
  { seconds, said }: { seconds: number; said: string },
): Observed {
  const flight = document?.preflight?.sides.comparison.serverFlight;
  const row = (id: 'cpu_at_load' | 'latency_p50') => document?.metrics.find((each) => each.id === id);
  return {
    ...{ seconds, said },
    plainBytes: flight?.uncompressedBytes ?? null,
    compressedBytes: flight?.bytes ?? null,
    cpuUs: row('cpu_at_load')?.delta ?? null,
    cpuControl: row('cpu_at_load')?.twinRatio ?? null,
    latencyUs: row('latency_p50')?.delta ?? null,
  };
}

/** Without its words, which are no part of a figure's name. */
function figuresOf({ said: _, seconds: __, ...figures }: Observed) {
  return figures;
}

type Sent = {
  bytes: number;
  roundTrips: number;
  serverUs: (Estimate | null)[];
  clientUs: (Estimate | null)[];
};
type ChainRow = { bench: 'compression'; certificates: string } & Record<string, Sent | string | null>;

/** A row for each chain, with what each codec makes of it; null where the library does not compress it. */
function chainRows(grids: readonly HandshakesDocument[]): ChainRow[] {
  const cellsOf = (id: string) =>
    grids.flatMap(({ cells }) => measuredOf(cells).filter(({ cell }) => cell.id === id));
  const plain = measuredOf(grids[0]?.cells ?? []).filter(({ cell }) => cell.compression === undefined);
  return plain.map(({ cell }) => ({
    ...{
      bench: 'compression',
      certificates: `lab, ${certificatesInWords(cell)}`,
      none: sentBy(cellsOf(cell.id)),
    },
    ...Object.fromEntries(
      certificateCodecs.map((compression) => [
        compression,
        sentBy(cellsOf(cellOf({ ...cell, compression }).id)),
      ]),
    ),
  }));
}

function sentBy(cells: readonly MeasuredCell[]): Sent | null {
  const [first] = cells;
  if (first === undefined) return null;
  const bytes = first.wire.handshakeBytes.serverToClient;
  return {
    ...{ bytes, roundTrips: roundTripsOfFlight(bytes) },
    serverUs: cells.map(({ ends }) => ends?.serverCpuUs ?? null),
    clientUs: cells.map(({ ends }) => ends?.clientCpuUs ?? null),
  };
}

function printChains(rows: readonly ChainRow[]): string {
  const codecs = ['none', ...certificateCodecs];
  return printTable(
    ['chain', 'codec', 'bytes', 'round trips', 'server µs, each time', 'client µs, each time'],
    rows.flatMap((row) =>
      codecs.map((codec) => {
        const sent = row[codec] as Sent | null;
        if (sent === null) return [row.certificates, codec, 'not compressed', '', '', ''];
        const { bytes, roundTrips, serverUs, clientUs } = sent;
        return [row.certificates, codec, `${bytes}`, `${roundTrips}`, ...[serverUs, clientUs].map(printEach)];
      }),
    ),
  );
}

function printEach(estimates: readonly (Estimate | null)[]): string {
  return estimates.map((each) => printEstimate(each)).join(', ');
}

function printEstimate(estimate: Estimate | null, scale = 1, digits = 0): string {
  if (estimate === null) return 'none';
  const [center, lo, hi] = [estimate.center, estimate.lo, estimate.hi].map((each) =>
    (scale * each).toFixed(digits),
  );
  return `${center} (${lo} to ${hi})`;
}

type PairRow = { certificates: string; runs: readonly Observed[] };

function printPairs(rows: readonly PairRow[]): string {
  const head = ['certificates', 'bytes', 'server CPU, µs', 'its control, ratio', 'latency, ms', 'verdict'];
  return printTable(
    head,
    rows.flatMap(({ certificates, runs }) =>
      runs.map(({ plainBytes, compressedBytes, cpuUs, cpuControl, latencyUs, said }) => [
        ...[certificates, `${plainBytes} → ${compressedBytes}`],
        ...[printEstimate(cpuUs), printEstimate(cpuControl, 1, 3), printEstimate(latencyUs, 1e-3, 1), said],
      ]),
    ),
  );
}
