import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Length } from '../../shared/kinds/comparison/load-names.ts';

/** What the command line says to a bench. */
export type BenchOptions = {
  /** Runs, or rounds, instead of as many as the bench takes by itself. */
  runs: number | null;
  /** Of the first run; each later one has the next. */
  seed: number;
  /** Aborted by SIGINT and SIGTERM: the bench ends what it started and tells what it has. */
  signal: AbortSignal;
};

/** What the command line says to benches that can go on where they stopped. */
export type LongOptions = BenchOptions & {
  /** The directory of an earlier call; null for a new one. */
  resume: string | null;
  /** Name of a part of the bench; null for all. */
  only: string | null;
  /** Length of the runs of `repeat`. */
  length: Length;
};

/** Where such a bench keeps what has ended; says so on stderr. */
export function openBenchDirectory(bench: string, resume: string | null): string {
  const directory = resume ?? mkdtempSync(join(tmpdir(), `tls-toll-${bench}-`));
  mkdirSync(directory, { recursive: true });
  process.stderr.write(
    `What has ended is kept in ${directory}. To go on after an interruption: the same options, and --resume ${directory}\n`,
  );
  return directory;
}

/** Says on stderr how long a bench is going to take. */
export function announceTime(what: string, seconds: number): void {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const unit = minutes === 1 ? 'minute' : 'minutes';
  process.stderr.write(`${what}: about ${minutes} ${unit}\n`);
}
