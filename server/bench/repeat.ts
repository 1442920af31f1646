import { join } from 'node:path';
import { z } from 'zod';
import { type Transport, transports, twoSidesAndTwin } from '../../shared/base/transport.ts';
import { type RunRequestInput, runRequestSchema } from '../../shared/kinds/comparison/run-request.ts';
import { endOf } from '../life/measurement/end/end-of.ts';
import { askTarget } from '../targets/ask-target.ts';
import { openAuthority } from '../targets/certificate-authority.ts';
import { freePorts } from '../targets/managed/free-ports.ts';
import { openTarget } from '../targets/open-target.ts';
import { announceTime, openBenchDirectory, type RepeatOptions } from './bench-options.ts';
import { startDisturbers } from './disturber.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { measureWrkPair, repeatMetrics } from './measure-wrk-pair.ts';
import { isInstalled, type Nginx, startNginx } from './nginx.ts';
import { openDashboard } from './open-dashboard.ts';
import { performRun } from './perform-run.ts';
import { printRatio, printRepeat, printShift } from './print-repeat.ts';
import { connections, pageBytes, questionOf, type RepeatQuestion } from './repeat-questions.ts';
import { tallyRepeat } from './repeat-tally.ts';
import {
  type AskedRun,
  askedRunSchema,
  type RepeatMachine,
  type RepeatTarget,
  type Repetition,
  repeatMachines,
  repeatTargets,
  type WrkPair,
  wrkPairSchema,
} from './repetition.ts';
import { expectedS } from './run-in-process.ts';

const usualRuns = 20;
const needed = ['nginx', 'wrk'];

const partSchema = z.union([askedRunSchema, wrkPairSchema]);
type Part = z.infer<typeof partSchema>;
type Place = { machine: RepeatMachine; target: RepeatTarget; round: number };

/**
 * One question asked again and again: quick runs of three targets in turns, each followed by wrk for the same time; first on a quiet
 * machine, then beside two busy loops. All runs are stored in one data directory, as a user's are. What has ended is kept in a
 * directory, with which another call goes on.
 */
export async function askAgain({ runs, seed, signal, resume, only, machine }: RepeatOptions) {
  const missing = needed.filter((name) => !isInstalled(name));
  if (missing.length > 0) throw new Error(`Not installed: ${missing.join(' and ')}.`);
  const directory = openBenchDirectory('repeat', resume);

  const rounds = runs ?? usualRuns;
  const machines = repeatMachines.filter((each) => machine === null || each === machine);
  const targets = repeatTargets.filter((each) => only === null || each === only);
  const server = await openDashboard(directory);
  try {
    const parts = openLedger(join(directory, 'results.jsonl'), partSchema);
    const authority = await openAuthority(join(directory, 'authority'));
    const nginx = await startNginx(authority, [pageBytes], await keepPorts(directory));
    try {
      const questions = new Map(targets.map((target) => [target, questionOf(target, nginx, authority)]));
      const places = machines.flatMap((machine) =>
        Array.from({ length: rounds }, (_, round) =>
          targets.map((target): Place => ({ machine, target, round })),
        ).flat(),
      );
      announce(places, questions, parts);
      for (const machine of machines) {
        const own = places.filter((place) => place.machine === machine);
        if (own.every((place) => isDone(place, parts)) || signal.aborted) continue;
        const disturber = await startDisturbers(machine === 'quiet' ? [] : ['loop', 'loop']);
        try {
          for (const place of own) {
            const question = questions.get(place.target);
            if (question === undefined || signal.aborted) break;
            const progress = `${places.indexOf(place) + 1} of ${places.length}`;
            await askOnce(place, question, { progress, url: server.url, seed, directory, parts, signal });
          }
        } finally {
          await disturber.stop();
        }
      }
      const repetitions = places.flatMap((place) => repetitionAt(place, parts));
      const rows = tallyRepeat(repetitions);
      return { rows: [...rows, ...repetitions], text: printRepeat(rows, repetitions) };
    } finally {
      await nginx.stop();
    }
  } finally {
    await server.close();
  }
}

/** Where the standing server listens: the same each time, as its address is part of the question. */
async function keepPorts(directory: string): Promise<Nginx['ports']> {
  const ledger = openLedger(join(directory, 'ports.jsonl'), z.array(z.int()).length(transports.length));
  const numbers = ledger.get('ports') ?? (await freePorts('127.0.0.1', transports.length));
  ledger.keep('ports', numbers);
  const portOf = (transport: Transport) => numbers[transports.indexOf(transport)] ?? 0;
  return { http: portOf('http'), https: portOf('https'), h2c: portOf('h2c'), h2: portOf('h2') };
}

type Asking = {
  progress: string;
  url: string;
  seed: number;
  directory: string;
  parts: Ledger<Part>;
  signal: AbortSignal;
};

/** The run and wrk's pair after it, each only where it is not there yet. */
async function askOnce(place: Place, question: RepeatQuestion, asking: Asking): Promise<void> {
  const { progress, parts, signal } = asking;
  const tell = (text: string) =>
    process.stderr.write(
      `${progress}, ${place.machine}, ${place.target}, round ${place.round + 1}: ${text}\n`,
    );
  if (parts.get(keyOf(place, 'run')) === undefined) {
    const request = { ...question.request, seed: asking.seed + place.round };
    const run = await askRun(asking.url, request, signal);
    if (run === null) return;
    parts.keep(keyOf(place, 'run'), run);
    tell(sayRun(run));
  }
  if (parts.get(keyOf(place, 'wrk')) !== undefined || signal.aborted) return;
  const { run } = repetitionAt(place, parts)[0] ?? {};
  const pair = await askWrk(question, run ?? null, asking).catch((error: unknown) => {
    if (!signal.aborted) tell(`wrk failed: ${endOf(error).problem.problem.detail}`);
    return null;
  });
  if (pair === null) return;
  parts.keep(keyOf(place, 'wrk'), pair);
  tell(
    `wrk: ${repeatMetrics
      .map((metric) => `${metric} ${printShift(pair.comparison[metric] / pair.baseline[metric])}`)
      .join('; ')}`,
  );
}

/** A run that fails or is refused is kept as one without intervals. Null where the bench was interrupted. */
async function askRun(url: string, request: RunRequestInput, signal: AbortSignal): Promise<AskedRun | null> {
  const at = new Date().toISOString();
  const startedAt = performance.now();
  const elapsedS = () => (performance.now() - startedAt) / 1000;
  let firstIntervalS: number | null = null;
  let seconds: number | null = null;
  try {
    const document = await performRun(url, request, {
      signal,
      onEvent(event) {
        if (event.type === 'block' && 'interval' in event && event.interval !== null) {
          firstIntervalS ??= elapsedS();
        }
        if (event.type === 'measured') seconds = elapsedS();
      },
    });
    const ratioOf = (metric: (typeof repeatMetrics)[number]) =>
      document.metrics.find(({ id }) => id === metric)?.ratio ?? null;
    return {
      ...{ id: document.id, at, seconds: seconds ?? elapsedS(), firstIntervalS },
      users: document.atLoad?.users ?? null,
      ratios: {
        cpu_at_load: ratioOf('cpu_at_load'),
        latency_p50: ratioOf('latency_p50'),
        throughput: ratioOf('throughput'),
      },
      said: document.verdict?.sentence ?? document.problem?.detail ?? document.state,
    };
  } catch (error) {
    if (signal.aborted) return null;
    const none = { cpu_at_load: null, latency_p50: null, throughput: null };
    const said = endOf(error).problem.problem.detail;
    return { id: null, at, seconds: elapsedS(), firstIntervalS, users: null, ratios: none, said };
  }
}

async function askWrk(
  { request, path, warmUpS }: RepeatQuestion,
  run: AskedRun | null,
  { directory, signal }: Asking,
): Promise<WrkPair> {
  const at = new Date().toISOString();
  // What failed at once has no length of its own.
  const seconds = Math.max(run?.seconds ?? 0, expectedS(request));
  const asked = runRequestSchema.parse(request);
  const house = { dataDirectory: join(directory, 'wrk'), storefrontDatabaseUrl: null, chromiumPath: null };
  const target = await openTarget(askTarget(asked, twoSidesAndTwin, {}), house, signal);
  try {
    // As many as the run found that it needs.
    const plan = { path, connections: run?.users ?? connections, seconds, warmUpS, signal };
    return { at, seconds, ...(await measureWrkPair(target, plan)) };
  } finally {
    await target.stop();
  }
}

function sayRun({ seconds, firstIntervalS, ratios, said }: AskedRun): string {
  const first =
    firstIntervalS === null ? 'no interval before it' : `first interval after ${firstIntervalS.toFixed(1)} s`;
  const shown = repeatMetrics.map((metric) => `${metric} ${printRatio(ratios[metric])}`);
  return `${seconds.toFixed(1)} s, ${first}; ${ratios.cpu_at_load === null ? said : shown.join('; ')}`;
}

function announce(
  places: readonly Place[],
  questions: ReadonlyMap<RepeatTarget, RepeatQuestion>,
  parts: Ledger<Part>,
): void {
  const left = places.flatMap((place) => {
    const request = questions.get(place.target)?.request;
    const open = (['run', 'wrk'] as const).filter((what) => parts.get(keyOf(place, what)) === undefined);
    return request === undefined ? [] : open.map(() => expectedS(request));
  });
  announceTime(
    `${left.length} of ${2 * places.length} parts are left, a quick run or wrk for as long each`,
    left.reduce((sum, seconds) => sum + seconds + betweenS, 0),
  );
}

/** Starting and ending what is loaded. */
const betweenS = 1.5;

function keyOf({ machine, target, round }: Place, what: 'run' | 'wrk'): string {
  return `${machine} ${target} ${round} ${what}`;
}

function isDone(place: Place, parts: Ledger<Part>): boolean {
  return (['run', 'wrk'] as const).every((what) => parts.get(keyOf(place, what)) !== undefined);
}

function repetitionAt(place: Place, parts: Ledger<Part>): Repetition[] {
  const { target, machine } = place;
  const run = askedRunSchema.safeParse(parts.get(keyOf(place, 'run')));
  const pair = wrkPairSchema.safeParse(parts.get(keyOf(place, 'wrk')));
  return run.success ? [{ target, machine, run: run.data, pair: pair.success ? pair.data : null }] : [];
}
