/** What the command line says to a bench. */
export type BenchOptions = {
  /** Runs, or rounds, instead of as many as the bench takes by itself. */
  runs: number | null;
  /** Of the first run; each later one has the next. */
  seed: number;
  /** Aborted by SIGINT and SIGTERM: the bench ends what it started and tells what it has. */
  signal: AbortSignal;
};

/** Says on stderr how long a bench is going to take. */
export function announceTime(what: string, seconds: number): void {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const unit = minutes === 1 ? 'minute' : 'minutes';
  process.stderr.write(`${what}: about ${minutes} ${unit}\n`);
}
