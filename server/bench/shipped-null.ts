import { join } from 'node:path';
import { sidesOfPair, type TransportPair } from '../../shared/base/transport.ts';
import type { Length } from '../../shared/kinds/comparison/load-names.ts';
import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import type { SidesRequestInput } from '../../shared/kinds/comparison/side.ts';
import { endOf } from '../life/measurement/end/end-of.ts';
import { announceTime, type LongOptions, openBenchDirectory } from './bench-options.ts';
import { openLedger } from './ledger.ts';
import { isInstalled } from './nginx.ts';
import { openDashboard } from './open-dashboard.ts';
import { performRun } from './perform-run.ts';
import { expectedS } from './run-in-process.ts';
import {
  observeShippedNull,
  printShippedNull,
  type ShippedNull,
  shippedNullSchema,
  tallyShippedNull,
} from './shipped-null-tally.ts';

const usualRuns = 100;
/** Runs of the length quote for each first answer. */
const quoteShare = 0.3;
const pairs: TransportPair[] = [
  ['http', 'http'],
  ['https', 'https'],
];
const targets = ['storefront', 'nginx'] as const;

/**
 * Ordinary runs of the storefront and of nginx against themselves, alternating with and without TLS. Every difference that they find, in
 * any row, is false. They share one data directory, so each run has the earlier ones as its past. `runs` limits how many of
 * the remaining runs are made.
 */
export async function calibrateShipped({ runs, seed, signal, resume, only }: LongOptions) {
  if (!isInstalled('nginx')) throw new Error('Not installed: nginx.');
  const directory = openBenchDirectory('null', resume);
  const lengths = lengthsOf(only);
  const toQuote = Math.ceil(usualRuns * quoteShare);
  const requests = [...plansOf('first', usualRuns, seed), ...plansOf('quote', toQuote, seed + usualRuns)];
  const server = await openDashboard(directory);
  try {
    const ledger = openLedger(join(directory, 'results.jsonl'), shippedNullSchema);
    const left = requests
      .filter((request) => lengths.includes(request.length) && ledger.get(keyOf(request)) === undefined)
      .slice(0, runs ?? requests.length);
    announceTime(
      `${left.length} of ${requests.length} runs`,
      left.reduce((sum, request) => sum + expectedS(request), 0),
    );
    for (const request of left) {
      const run = await askOnce(server.url, request, signal);
      if (run === null) break;
      ledger.keep(keyOf(request), run);
      const claims = run.rows.filter(({ outcome }) => outcome === 'overhead').map(({ id }) => id);
      const came = run.state === 'finished' ? claims.join(', ') || 'claims nothing' : run.said;
      process.stderr.write(
        `${requests.indexOf(request) + 1} of ${requests.length}, ${keyOf(request)}: ${came}\n`,
      );
    }
    const done = requests.flatMap((request) => ledger.get(keyOf(request)) ?? []);
    const rows = tallyShippedNull(done);
    return { rows, text: printShippedNull(rows, done) };
  } finally {
    await server.close();
  }
}

function lengthsOf(only: string | null): Length[] {
  const lengths: Length[] = ['first', 'quote'];
  const chosen = lengths.filter((length) => only === null || length === only);
  if (chosen.length === 0) throw new Error(`--only is ${lengths.join(' or ')}, not "${only}".`);
  return chosen;
}

type Planned = RunRequestInput & { length: Length; seed: number; target: string; sides: SidesRequestInput };

function plansOf(length: Length, count: number, seed: number): Planned[] {
  return Array.from({ length: count }, (_, index) => ({
    length,
    seed: seed + index,
    sides: sidesOfPair(pairs[index % pairs.length] as TransportPair),
    target: targets[Math.floor(index / pairs.length) % targets.length] as (typeof targets)[number],
  }));
}

function keyOf({ length, target, sides, seed }: Planned): string {
  return `${length}, ${target}, ${[sides.baseline?.transport, sides.comparison?.transport].join(' against ')}, seed ${seed}`;
}

/** Null where the bench was interrupted. */
async function askOnce(url: string, request: Planned, signal: AbortSignal): Promise<ShippedNull | null> {
  if (signal.aborted) return null;
  const startedAt = performance.now();
  const elapsedS = () => (performance.now() - startedAt) / 1000;
  try {
    const document = await performRun(url, request, { signal });
    return observeShippedNull(document, elapsedS());
  } catch (error) {
    if (signal.aborted) return null;
    const said = endOf(error).problem.problem.detail;
    const { length, target } = request;
    return { length, target, seconds: elapsedS(), state: 'failed', rows: [], said };
  }
}
