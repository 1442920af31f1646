import { rmSync } from 'node:fs';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import { announceTime, type BenchOptions } from './bench-options.ts';
import { startDisturbers } from './disturber.ts';
import { type Peer, peers } from './load-peers.ts';
import { isInstalled } from './nginx.ts';
import { estimateOfPairs, measurePeerPairs, type PrecisionMetric } from './peer-pairs.ts';
import {
  type Machine,
  machines,
  printPrecision,
  type Repetition,
  tallyPrecision,
  tallyVariance,
} from './precision-tally.ts';
import { expectedS, runInProcess } from './run-in-process.ts';
import { makeDataDirectory } from './test-server.ts';

/** Of each method on each machine. */
const leastS = 8 * 60;
const path = '/search';
const wayOfPeer = { path, connections: 8, windowS: 3, warmUpS: 4 };

const request: RunRequestInput = {
  preset: 'quick',
  connections: wayOfPeer.connections,
  scenario: { name: 'One page', steps: [{ name: 'Search form', method: 'GET', path }] },
};

/**
 * How far repeated estimates of one effect lie apart, HTTP against HTTPS on one page of the storefront, beside the intervals
 * that are printed: by quick runs, and in turns with them by pairs of windows of other tools in the same time. Every
 * repetition has processes of its own.
 */
export async function comparePrecision({ runs, seed, signal }: BenchOptions) {
  const runS = expectedS(request);
  const count = runs ?? Math.ceil(leastS / runS);
  const installed = peers.filter(({ name }) => isInstalled(name));
  const missing = peers.filter((peer) => !installed.includes(peer)).map(({ name }) => name);
  if (missing.length > 0) process.stderr.write(`Not installed, so left out: ${missing.join(', ')}\n`);
  announceTime(
    `${count} rounds of a quick run and of ${installed.map(({ name }) => name).join(' and ') || 'nothing else'}, on a quiet and on a busy machine`,
    machines.length * count * runS * (1 + installed.length),
  );

  const repetitions: Repetition[] = [];
  const documents: { machine: Machine; document: RunDocument }[] = [];
  const directory = makeDataDirectory();
  try {
    for (const machine of machines) {
      const disturber = await startDisturbers(machine === 'quiet' ? [] : ['loop', 'loop']);
      try {
        for (let round = 0; round < count && !signal.aborted; round++) {
          const document = await survive('The run', signal, () =>
            runInProcess({ request: { ...request, seed: seed + round } }, directory, signal),
          );
          if (document !== null) documents.push({ machine, document });
          const own = document === null ? null : repetitionOf(document, machine);
          if (own !== null) keep(repetitions, own);
          for (const peer of installed) {
            const theirs = await survive(peer.name, signal, () =>
              repeatByPeer(peer, machine, own?.seconds ?? runS, directory, signal),
            );
            if (theirs !== null) keep(repetitions, theirs);
          }
        }
      } finally {
        await disturber.stop();
      }
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const rows = tallyPrecision(repetitions);
  const splits = tallyVariance(documents);
  return { rows: [...rows, ...splits], text: printPrecision(rows, splits) };
}

function repetitionOf(document: RunDocument, machine: Machine): Repetition {
  const ratioOf = (metric: PrecisionMetric) =>
    document.metrics.find(({ id }) => id === metric)?.ratio ?? null;
  return {
    ...({ machine, method: 'tls-toll' } as const),
    seconds: ((document.endedAt ?? 0) - (document.startedAt ?? 0)) / 1000,
    ratios: ratiosBy(ratioOf),
  };
}

async function repeatByPeer(
  peer: Peer,
  machine: Machine,
  seconds: number,
  directory: string,
  signal: AbortSignal,
): Promise<Repetition> {
  const pairs = await measurePeerPairs(peer, { ...wayOfPeer, seconds }, directory, signal);
  return {
    machine,
    method: peer.name,
    seconds,
    ratios: ratiosBy((metric) => estimateOfPairs(pairs, metric)),
  };
}

function ratiosBy(
  of: (metric: PrecisionMetric) => Repetition['ratios'][PrecisionMetric],
): Repetition['ratios'] {
  return {
    cpu_at_load: of('cpu_at_load'),
    latency_p50: of('latency_p50'),
    throughput: of('throughput'),
  };
}

function keep(repetitions: Repetition[], repetition: Repetition): void {
  repetitions.push(repetition);
  const shown = Object.entries(repetition.ratios).map(([metric, ratio]) =>
    ratio === null
      ? `${metric} none`
      : `${metric} ${ratio.center.toFixed(3)} (${ratio.lo.toFixed(3)} to ${ratio.hi.toFixed(3)})`,
  );
  process.stderr.write(`${repetition.machine}, ${repetition.method}: ${shown.join('; ')}\n`);
}

/** A part of a round that fails is missing from the result, and said. */
async function survive<T>(what: string, signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
  if (signal.aborted) return null;
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) {
      process.stderr.write(`${what} failed: ${error instanceof Error ? error.message : String(error)}\n`);
    }
    return null;
  }
}
