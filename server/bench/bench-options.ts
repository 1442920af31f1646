import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Length } from '../../shared/kinds/comparison/options.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { type RunRequestInput, runRequestSchema } from '../../shared/kinds/comparison/run-request.ts';
import { headlineOfRun } from '../../shared/words/headline.ts';
import { readConfig } from '../edge/settings/config.ts';
import { type RunningServer, startServer } from '../edge/start/start-server.ts';
import { runS } from '../kinds/comparison/plan-duration.ts';
import { planFor } from '../kinds/comparison/run-plan.ts';
import { endOf } from '../life/measurement/event-log.ts';
import type { Libraries } from '../targets/managed/tls-library.ts';
import { performRun } from './perform-run.ts';

/** Command-line options of a bench. */
export type LongOptions = {
  /** Runs, or rounds, instead of as many as the bench takes by itself. */
  runs: number | null;
  /** Seed of the first run. Each later run adds 1. */
  seed: number;
  /** Aborted by SIGINT and SIGTERM: the bench ends what it started and tells what it has. */
  signal: AbortSignal;
  /** The directory of an earlier call; null for a new one. */
  resume: string | null;
  /** Name of a part of the bench; null for all. */
  only: string | null;
  /** Length of the runs of `repeat` and `library`. */
  length: Length;
};

/** Directory for the finished parts of such a bench. Printed on stderr. */
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

/** Finished parts of a long bench, in a file with a line of JSON for each, so that it can go on after an interruption. */
export type Ledger<Value> = {
  get(key: string): Value | undefined;
  /** On the disk when it returns. */
  keep(key: string, value: Value): void;
};

/** Lines that are damaged, as the last one is when the bench was killed while writing, are as if they were not there. */
export function openLedger<Value>(path: string, valueSchema: z.ZodType<Value>): Ledger<Value> {
  const lineSchema = z.strictObject({ key: z.string(), value: valueSchema });
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const kept = new Map<string, Value>();
  for (const line of text.split('\n')) {
    const parsed = lineSchema.safeParse(parseJson(line));
    if (parsed.success) kept.set(parsed.data.key, parsed.data.value);
  }
  // The next line must not continue a broken one.
  if (text !== '' && !text.endsWith('\n')) appendFileSync(path, '\n', { flush: true });
  return {
    get: (key) => kept.get(key),
    keep(key, value) {
      appendFileSync(path, `${JSON.stringify({ key, value })}\n`, { flush: true });
      kept.set(key, value);
    },
  };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/**
 * The server in this process, on a data directory that stays: runs are stored as a user's are, so each has the earlier ones as its
 * past. It ends with this process, which a server of its own would not. Throws data_directory_in_use where another bench is at work.
 */
export async function openDashboard(directory: string, libraries: Libraries = {}): Promise<RunningServer> {
  const { PATH, CHROMIUM_PATH } = process.env;
  const environment = { PATH, CHROMIUM_PATH, LOG_LEVEL: 'error', TLS_TOLL_DATA: join(directory, 'data') };
  return startServer({ ...readConfig(environment), libraries, port: 0 }, { repeats: false });
}

type Asked = { key: string; request: RunRequestInput };

/**
 * Asks a dashboard for the runs that the ledger lacks, one after the other, until it has all or the bench is interrupted.
 * @param observe what to keep of a run, given its document, or null if it was refused or failed
 */
export async function askLeft<Kept extends { said: string }>(
  asked: readonly Asked[],
  {
    url,
    ledger,
    runs,
    signal,
  }: { url: string; ledger: Ledger<Kept>; runs: number | null; signal: AbortSignal },
  observe: (document: RunDocument | null, ran: Asked & { seconds: number; said: string }) => Kept,
): Promise<void> {
  const left = asked.filter(({ key }) => ledger.get(key) === undefined).slice(0, runs ?? asked.length);
  const secondsLeft = left.reduce((sum, { request }) => sum + expectedS(request), 0);
  announceTime(`${left.length} of ${asked.length} runs are left`, secondsLeft);
  for (const each of left) {
    const startedMs = performance.now();
    const ran = (said: string) => ({ ...each, said, seconds: (performance.now() - startedMs) / 1000 });
    try {
      const document = await performRun(url, each.request, { signal });
      const said = headlineOfRun(document)?.title ?? document.problem?.detail ?? document.state;
      ledger.keep(each.key, observe(document, ran(said)));
    } catch (error) {
      if (signal.aborted) return;
      ledger.keep(each.key, observe(null, ran(endOf(error).problem.problem.detail)));
    }
    process.stderr.write(
      `${asked.indexOf(each) + 1} of ${asked.length}, ${each.key}: ${ledger.get(each.key)?.said}\n`,
    );
  }
}

/** Starting and ending what is loaded. */
const betweenS = 1.5;

/** How long a run takes on a quiet machine. */
export function expectedS(request: RunRequestInput): number {
  const plan = planFor(runRequestSchema.parse(request), 0);
  return Math.min(plan.longestS, runS(plan, plan.launches.minimum)) + betweenS;
}
