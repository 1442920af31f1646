import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type Transport, transports, twoSidesAndTwin } from '../../shared/base/transport.ts';
import { type RunRequestInput, runRequestSchema } from '../../shared/kinds/comparison/run-request.ts';
import { pathScenario, scenarioSchema } from '../../shared/scenario/scenario.ts';
import { freePorts } from '../base/process/listeners.ts';
import { demandChromium } from '../drive/browser/find-chromium.ts';
import { launchChromium } from '../drive/browser/launch-chromium.ts';
import { connectTo } from '../edge/commands/api-client.ts';
import { endOf } from '../life/measurement/event-log.ts';
import { openAuthority } from '../targets/certificates/certificate-authority.ts';
import { askTarget, openTarget } from '../targets/open/open-target.ts';
import { makeDataDirectory, startMeasuredServer } from '../testing/program-in-test.ts';
import {
  announceTime,
  type Ledger,
  type LongOptions,
  openBenchDirectory,
  openLedger,
} from './bench-options.ts';
import { startDisturbers } from './disturber.ts';
import { isInstalled, type Nginx, startNginx } from './nginx.ts';
import { performMeasurement } from './perform-run.ts';
import { printRepeat, tallyRepeat } from './repeat-tally.ts';
import {
  type AskedRun,
  askedRunSchema,
  type Part,
  partSchema,
  type RepeatMachine,
  type RepeatTarget,
  type Repetition,
  readSaid,
  repeatMachines,
  repeatTargets,
  saysNothing,
} from './repetition.ts';
import { measureWrkPair, type WrkPair, wrkPairSchema } from './wrk.ts';

const usualRuns: Record<RepeatTarget, number> = { button: 20, managed: 12, standing: 12 };
/** Time of a run and wrk's pair, including every start and stop. */
const expectedS: Record<RepeatTarget, number> = { button: 62, managed: 44, standing: 42 };
/** Warm-up of each side before wrk's windows. */
const warmUpS: Record<RepeatTarget, number> = { button: 4, managed: 1, standing: 0 };
/** Size of the standing server's page. */
const pageBytes = 10_000;
/** Pause between a server's start and the click. */
const lookMs = 2000;

type Place = { machine: RepeatMachine; target: RepeatTarget; round: number };

/**
 * Asks each question repeatedly as users do, each time followed by wrk with the run's measuring time and number of users. The questions:
 * the start button's on a fresh data directory, and a managed and a standing nginx, whose runs share a directory. First on a quiet
 * machine, then next to two busy loops. Finished runs are kept in a directory, from which another call resumes.
 */
export async function askAgain({ runs, seed, signal, resume, only, length }: LongOptions) {
  const missing = ['nginx', 'wrk'].filter((name) => !isInstalled(name));
  if (missing.length > 0) throw new Error(`Not installed: ${missing.join(' and ')}.`);
  const chromium = demandChromium(
    { chromiumPath: null },
    'This bench shows the page of a run in Chromium, which was not found.',
  );
  const chosen = placesOf(only);
  const directory = openBenchDirectory('repeat', resume);
  const parts = openLedger(join(directory, 'results.jsonl'), partSchema);
  const left = leftOf(chosen, parts, runs);
  const usual = chosen.reduce((sum, { target }) => sum + usualRuns[target], 0);
  announceTime(
    `${left.length} of ${usual} runs, each followed by wrk`,
    left.reduce((sum, { target }) => sum + expectedS[target], 0),
  );
  process.stderr.write(`Nothing else should run meanwhile. Load average: ${loadavg()[0]?.toFixed(2)}.\n`);

  const authority = await openAuthority(join(directory, 'authority'));
  const nginx = await startNginx(authority, [pageBytes], await keepPorts(directory));
  try {
    const requests = requestsOf(nginx, authority.caPem);
    for (const machine of repeatMachines) {
      const own = left.filter((place) => place.machine === machine);
      if (own.length === 0 || signal.aborted) continue;
      const disturber = await startDisturbers(machine === 'quiet' ? 0 : 2);
      try {
        for (const place of own) {
          if (signal.aborted) break;
          const request = { ...requests[place.target], length, seed: seed + place.round };
          await askOnce(place, request, { directory, parts, chromium, signal });
        }
      } finally {
        await disturber.stop();
      }
    }
  } finally {
    await nginx.stop();
  }
  const repetitions = placesOf(null).flatMap((place) =>
    roundsOf(place, parts).flatMap((round) => repetitionAt({ ...place, round }, parts)),
  );
  const rows = tallyRepeat(repetitions);
  return { rows: [...rows, ...repetitions], figures: rows, text: printRepeat(rows, repetitions) };
}

/** @param only targets, machines, or both as in `button-quiet`, separated by commas */
function placesOf(only: string | null): Omit<Place, 'round'>[] {
  const all = repeatMachines.flatMap((machine) => repeatTargets.map((target) => ({ machine, target })));
  const namesOf = ({ machine, target }: Omit<Place, 'round'>) => [target, machine, `${target}-${machine}`];
  const asked = only?.split(',') ?? null;
  const unknown = asked?.find((name) => !all.some((place) => namesOf(place).includes(name)));
  if (unknown !== undefined) {
    const names = [...repeatTargets, ...repeatMachines, 'button-quiet'].join(', ');
    throw new Error(`--only takes ${names} and the like, or several with commas, not "${unknown}".`);
  }
  return all.filter((place) => asked === null || namesOf(place).some((name) => asked.includes(name)));
}

/** The targets take turns, up to the usual number of runs and at most `runs` more of each. */
function leftOf(chosen: readonly Omit<Place, 'round'>[], parts: Ledger<Part>, runs: number | null): Place[] {
  const places = chosen.flatMap((place) => {
    const usual = Math.max(usualRuns[place.target], runs ?? 0);
    const open = Array.from({ length: usual }, (_, round) => ({ ...place, round })).filter(
      (each) => !isDone(each, parts),
    );
    return open.slice(0, runs ?? usual);
  });
  return places.toSorted((a, b) => a.round - b.round);
}

/** Requests as the form sends them. An untouched form sends an empty request. */
function requestsOf({ ports }: Nginx, ca: string): Record<RepeatTarget, RunRequestInput> {
  const [http, https] = [`http://127.0.0.1:${ports.http}`, `https://127.0.0.1:${ports.https}`];
  return {
    button: {},
    managed: { target: 'nginx' },
    standing: { target: { http, https, ca }, scenario: pathScenario([`/${pageBytes}`]) },
  };
}

/** Ports of the standing server: the same each time, because the address is part of the question. */
async function keepPorts(directory: string): Promise<Nginx['ports']> {
  const ledger = openLedger(join(directory, 'ports.jsonl'), z.array(z.int()).length(transports.length));
  const numbers = ledger.get('ports') ?? (await freePorts('127.0.0.1', transports.length));
  ledger.keep('ports', numbers);
  const portOf = (transport: Transport) => numbers[transports.indexOf(transport)] ?? 0;
  return { http: portOf('http'), https: portOf('https'), h2c: portOf('h2c'), h2: portOf('h2') };
}

type Asking = { directory: string; parts: Ledger<Part>; chromium: string; signal: AbortSignal };

/** The run and wrk's pair after it, each only where it is not there yet. */
async function askOnce(place: Place, request: RunRequestInput, asking: Asking): Promise<void> {
  const { parts, signal } = asking;
  const tell = (text: string) =>
    process.stderr.write(`${place.target}-${place.machine}, run ${place.round + 1}: ${text}\n`);
  if (parts.get(keyOf(place, 'run')) === undefined) {
    const run = await askRun(place, request, asking);
    if (run === null) return;
    parts.keep(keyOf(place, 'run'), run);
    tell(`verdict after ${run.verdictS.toFixed(1)} s, ${run.users ?? 'no'} users: ${run.said}`);
  }
  const { run, pair } = repetitionAt(place, parts)[0] ?? {};
  // Without a load there is nothing to compare with wrk.
  if (run?.users == null || pair != null || signal.aborted) return;
  try {
    const read = await askWrk(place, request, run, asking);
    parts.keep(keyOf(place, 'wrk'), read);
    const [http, https] = [read.baseline, read.comparison].map(({ cpuUs, requests }) => cpuUs / requests);
    tell(`wrk ${http?.toFixed(1)} and ${https?.toFixed(1)} µs of CPU per request`);
  } catch (error) {
    if (!signal.aborted) tell(`wrk failed: ${endOf(error).problem.problem.detail}`);
  }
}

/** A run that fails or is refused is kept as one without intervals. Null where the bench was interrupted. */
async function askRun(
  place: Place,
  request: RunRequestInput,
  { directory, chromium, signal }: Asking,
): Promise<AskedRun | null> {
  const isFresh = place.target === 'button';
  const before = { at: new Date().toISOString(), loadAverage: loadavg()[0] ?? 0 };
  const server = await startMeasuredServer(isFresh ? makeDataDirectory() : join(directory, place.target));
  const clock = {
    startedAt: performance.now(),
    verdictS: null as number | null,
    firstIntervalS: null as number | null,
  };
  const elapsedS = () => (performance.now() - clock.startedAt) / 1000;
  try {
    const tab = await openTab(chromium, server.url);
    try {
      await tab.show('/');
      await pause(lookMs, null, { signal });
      clock.startedAt = performance.now();
      const created = await performMeasurement(
        server.url,
        { ...request, kind: 'comparison' },
        {
          signal,
          onCreated: ({ url }) => tab.show(new URL(url, server.url).pathname),
          onEvent(event) {
            if (event.type === 'block' && 'interval' in event && event.interval !== null) {
              clock.firstIntervalS ??= elapsedS();
            }
            if ((event.type as string) === 'measured' || event.type === 'end') clock.verdictS ??= elapsedS();
          },
        },
      );
      const endS = elapsedS();
      const text = await connectTo({ url: server.url, key: null }).readDocument(created.url);
      writeFileSync(documentPath(directory, place), text);
      const { verdictS, firstIntervalS } = clock;
      const said = readSaid(JSON.parse(text));
      return { ...before, ...said, id: created.id, verdictS: verdictS ?? endS, endS, firstIntervalS };
    } finally {
      await tab.close();
    }
  } catch (error) {
    if (signal.aborted) return null;
    const times = { verdictS: elapsedS(), endS: elapsedS(), firstIntervalS: clock.firstIntervalS };
    return { ...before, ...saysNothing, ...times, id: null, said: endOf(error).problem.problem.detail };
  } finally {
    await server.stop({ keep: !isFresh });
  }
}

/** Opens a page of the dashboard, as a user would. */
async function openTab(executablePath: string, origin: string) {
  const { hostname, port } = new URL(origin);
  const listeners = [{ hostname, address: hostname, port: Number(port) }];
  const browser = await launchChromium({ executablePath, listeners, trustedSpki: null, timeoutMs: 20_000 });
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  return {
    async show(path: string): Promise<void> {
      const answer = await tab.goto(origin + path);
      if (answer?.ok() !== true) throw new Error(`The page ${path} can't be shown.`);
    },
    close: () => browser.close(),
  };
}

async function askWrk(
  place: Place,
  request: RunRequestInput,
  { users, measuredS }: AskedRun,
  { directory, signal }: Asking,
): Promise<WrkPair> {
  const document = z
    .looseObject({ scenario: scenarioSchema })
    .parse(JSON.parse(readFileSync(documentPath(directory, place), 'utf8')));
  const asked = runRequestSchema.parse(request);
  const house = { dataDirectory: join(directory, 'wrk'), storefrontDatabaseUrl: null, chromiumPath: null };
  const target = await openTarget(askTarget(asked, twoSidesAndTwin, {}), house, signal);
  try {
    return await measureWrkPair(target, {
      ...{ scenario: document.scenario, connections: users ?? 1, warmUpS: warmUpS[place.target], signal },
      seconds: Math.max(1, Math.round((measuredS ?? 0) / 2)),
      // The first side alternates.
      order: place.round % 2 === 0 ? ['baseline', 'comparison'] : ['comparison', 'baseline'],
    });
  } finally {
    await target.stop();
  }
}

/** Whole documents are kept for questions that the figures leave open. */
function documentPath(directory: string, { target, machine, round }: Place): string {
  const documents = join(directory, 'documents');
  mkdirSync(documents, { recursive: true });
  return join(documents, `${target}-${machine}-${round + 1}.json`);
}

function keyOf({ machine, target, round }: Place, what: 'run' | 'wrk'): string {
  return `${machine} ${target} ${round} ${what}`;
}

function isDone(place: Place, parts: Ledger<Part>): boolean {
  const [repetition] = repetitionAt(place, parts);
  return repetition !== undefined && (repetition.run.users === null || repetition.pair !== null);
}

/** Existing rounds, including those outside this call's choice. */
function roundsOf(place: Omit<Place, 'round'>, parts: Ledger<Part>): number[] {
  const rounds: number[] = [];
  while (parts.get(keyOf({ ...place, round: rounds.length }, 'run')) !== undefined)
    rounds.push(rounds.length);
  return rounds;
}

function repetitionAt(place: Place, parts: Ledger<Part>): Repetition[] {
  const { target, machine } = place;
  const run = askedRunSchema.safeParse(parts.get(keyOf(place, 'run')));
  const pair = wrkPairSchema.safeParse(parts.get(keyOf(place, 'wrk')));
  return run.success ? [{ target, machine, run: run.data, pair: pair.success ? pair.data : null }] : [];
}
