import type { RepeatMachine, RepeatTarget } from './repetition.ts';

/** What the command line says to a bench. */
export type BenchOptions = {
  /** Runs, or rounds, instead of as many as the bench takes by itself. */
  runs: number | null;
  /** Of the first run; each later one has the next. */
  seed: number;
  /** Aborted by SIGINT and SIGTERM: the bench ends what it started and tells what it has. */
  signal: AbortSignal;
};

/** What the command line says to the bench that asks one question again and again. */
export type RepeatOptions = BenchOptions &
  LongOptions & { only: RepeatTarget | null; machine: RepeatMachine | null };

/** What the command line says to benches that can go on where they stopped. */
export type LongOptions = {
  /** A directory of an earlier call; null for a new one. */
  resume: string | null;
};

/** Says on stderr how long a bench is going to take. */
export function announceTime(what: string, seconds: number): void {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const unit = minutes === 1 ? 'minute' : 'minutes';
  process.stderr.write(`${what}: about ${minutes} ${unit}\n`);
}
