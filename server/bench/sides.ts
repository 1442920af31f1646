import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findServers } from '../targets/managed/find-servers.ts';
import { askLeft, type LongOptions, openBenchDirectory, openDashboard, openLedger } from './bench-options.ts';
import {
  type Cell,
  cellsOf,
  inRounds,
  isNull,
  measureReference,
  observe,
  observedSchema,
  type Reference,
  referenceSchema,
} from './sides-cells.ts';
import { printSides, tallyNulls, tallyQuestions } from './sides-tally.ts';

const usualRounds = 2;
/** In as many rounds as usual, of all places together. */
const usualNulls = 100;
/**
 * Every question wherever this machine can answer it, twice, beside what the lab or `openssl speed` says, and every server against
 * itself until there are a hundred runs of that. All are quick runs as users have them, in one data directory.
 * `only` lists places, questions, or `nulls`, separated by commas. A cell is asked if it has all of these names.
 */
export async function askSides({ runs, seed, signal, resume, only }: LongOptions) {
  const directory = openBenchDirectory('sides', resume);
  const installed = findServers().flatMap(({ name, installed: isHere }) => (isHere ? [name] : []));
  const all = cellsOf(installed);
  const cells = all.filter((cell) => isWanted(cell, only));
  if (cells.length === 0)
    throw new Error(`Nothing here is called ${only}. Installed: ${installed.join(', ')}.`);
  const rounds = roundsOf(all, runs ?? usualRounds);
  const planned = inRounds(cells, rounds);
  const ledger = openLedger(join(directory, 'results.jsonl'), observedSchema);
  const server = await openDashboard(directory);
  try {
    const reference = await referenceIn(directory, server.url);
    await askLeft(
      planned.map(({ cell, key }, index) => ({ key, request: { ...cell.request, seed: seed + index } })),
      { url: server.url, ledger, runs: null, signal },
      observe,
    );
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

/** `OpenSSL 3.0.19`, whose speed the program on PATH measures; null without one. */
function linkedLibrary(): string | null {
  const { stdout } = spawnSync('openssl', ['version'], { encoding: 'utf8' });
  return /\(Library: (OpenSSL \S+)/.exec(stdout ?? '')?.[1] ?? null;
}
