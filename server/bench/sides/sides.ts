import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { endOf } from '../../life/measurement/end/end-of.ts';
import { findServers } from '../../targets/managed/find-servers.ts';
import { announceTime, type LongOptions, openBenchDirectory } from '../bench-options.ts';
import { openLedger } from '../ledger.ts';
import { openDashboard } from '../open-dashboard.ts';
import { performRun } from '../perform-run.ts';
import { expectedS } from '../run-in-process.ts';
import { type Cell, cellsOf, inRounds, isNull } from './cells.ts';
import { type Observed, observe, observedSchema, observeRefusal } from './observe.ts';
import { printSides } from './print.ts';
import { measureReference, type Reference, referenceSchema } from './reference.ts';
import { tallyNulls, tallyQuestions } from './tally.ts';

const usualRounds = 2;
/** In as many rounds as usual, of all places together. */
const usualNulls = 100;
/** Starting and ending what is loaded. */
const betweenS = 1.5;

type Options = LongOptions & {
  /** Places, questions, or `nulls`, separated by commas: only what has all of these names. */
  only: string | null;
};

/**
 * Every question wherever this machine can answer it, twice, beside what the lab or `openssl speed` says, and every server against
 * itself until there are a hundred runs of that. All are quick runs as users have them, in one data directory.
 */
export async function askSides({ runs, seed, signal, resume, only }: Options) {
  const directory = openBenchDirectory('sides', resume);
  const installed = findServers().flatMap(({ name, installed: isHere }) => (isHere ? [name] : []));
  const all = cellsOf(installed);
  const cells = all.filter((cell) => isWanted(cell, only));
  if (cells.length === 0)
    throw new Error(`Nothing here is called ${only}. Installed: ${installed.join(', ')}.`);
  const rounds = roundsOf(all, runs ?? usualRounds);
  const planned = inRounds(cells, rounds);
  const ledger = openLedger(join(directory, 'results.jsonl'), observedSchema);
  const left = planned.filter(({ key }) => ledger.get(key) === undefined);
  const server = await openDashboard(directory);
  try {
    const reference = await referenceIn(directory, server.url);
    announceTime(
      `${left.length} of ${planned.length} runs are left`,
      left.reduce((sum, { cell }) => sum + expectedS(cell.request) + betweenS, 0),
    );
    for (const { cell, key } of left) {
      const index = planned.findIndex((each) => each.key === key);
      const run = await askOnce(server.url, { ...cell.request, seed: seed + index }, signal);
      if (run === null) break;
      ledger.keep(key, run);
      process.stderr.write(`${index + 1} of ${planned.length}, ${key}: ${run.said}\n`);
    }
    const asked = cells.map((cell) => ({
      cell,
      runs: planned.flatMap((each) => (each.cell === cell ? (ledger.get(each.key) ?? []) : [])),
    }));
    const nulls = tallyNulls(asked);
    const questions = tallyQuestions(asked, reference, linkedLibrary());
    return { rows: [...nulls, ...questions], text: printSides(nulls, questions) };
  } finally {
    await server.close();
  }
}

function isWanted(cell: Cell, only: string | null): boolean {
  const names: string[] = [cell.place, cell.asks, isNull(cell) ? 'nulls' : 'questions'];
  return only === null || only.split(',').every((name) => names.includes(name.trim()));
}

function roundsOf(cells: readonly Cell[], questions: number): { nulls: number; questions: number } {
  const kinds = cells.filter(isNull).length;
  return { nulls: Math.ceil((usualNulls * questions) / (usualRounds * kinds)), questions };
}

/** Measured once for all runs. */
async function referenceIn(directory: string, url: string): Promise<Reference> {
  const ledger = openLedger(join(directory, 'reference.jsonl'), referenceSchema);
  const kept = ledger.get('reference');
  if (kept !== undefined) return kept;
  process.stderr.write('The lab’s handshakes and openssl speed, to compare with …\n');
  const reference = await measureReference(url);
  ledger.keep('reference', reference);
  return reference;
}

/** Null where the bench was interrupted. */
async function askOnce(url: string, request: Cell['request'], signal: AbortSignal): Promise<Observed | null> {
  if (signal.aborted) return null;
  const startedAt = performance.now();
  const elapsedS = () => (performance.now() - startedAt) / 1000;
  try {
    return observe(await performRun(url, request, { signal }), elapsedS());
  } catch (error) {
    if (signal.aborted) return null;
    return observeRefusal(endOf(error).problem.problem.detail, elapsedS());
  }
}

/** `OpenSSL 3.0.19`, whose speed the program on PATH measures; null without one. */
function linkedLibrary(): string | null {
  const { stdout } = spawnSync('openssl', ['version'], { encoding: 'utf8' });
  return /\(Library: (OpenSSL \S+)/.exec(stdout ?? '')?.[1] ?? null;
}
