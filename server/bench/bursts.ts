import { rmSync } from 'node:fs';
import { type Arms, byArm } from '../../shared/base/arms.ts';
import type { SideName } from '../../shared/base/transport.ts';
import type { Estimate } from '../../shared/base/units.ts';
import { type RunRequestInput, runRequestSchema } from '../../shared/kinds/comparison/run-request.ts';
import { pathScenario, type Scenario } from '../../shared/scenario/scenario.ts';
import { serverNames } from '../../shared/target/server-options.ts';
import type { Listener } from '../../shared/target/target.ts';
import { type Generator, startGenerator } from '../drive/load/start-generator.ts';
import { readingsHere, realApparatus } from '../kinds/apparatus.ts';
import { compilingOf } from '../kinds/comparison/plan-duration.ts';
import { type Round, rounds } from '../measure/rounds.ts';
import { meanOf } from '../method/statistics/mean.ts';
import { drawsOf, shuffle } from '../method/statistics/random.ts';
import { findServers } from '../targets/managed/find-servers.ts';
import { askTarget, type OpenTarget, openTarget } from '../targets/open/open-target.ts';
import type { Readings } from '../targets/sampling/readings.ts';
import { searchScenario } from '../targets/storefront/search-scenario.ts';
import { makeDataDirectory } from '../testing/program-in-test.ts';
import { announceTime, type LongOptions } from './bench-options.ts';
import { printTable } from './print-table.ts';
import { meanInterval, spreadInterval, spreadOf } from './spread.ts';

const lengthsMs = [5, 10, 15, 20, 50];
const usualNames = ['nginx', 'node', 'storefront'];
/** Seconds per length. */
const usualSeconds = 20;
const warmUpMs = { compiling: 6000, other: 2000 };

/** One second of one length. */
type Second = {
  rounds: number;
  elapsedS: number;
  /** Log ratios of CPU per transaction, comparison against baseline: one per round, then the whole second's. */
  logs: number[];
  log: number;
  /** Actual length, because a burst ends when nothing is in flight. */
  burstMs: number;
};

type BurstRow = {
  bench: 'bursts';
  server: string;
  burstMs: number;
  /** Mean actual length of bursts of `burstMs`. */
  lastedMs: number;
  roundsPerS: number;
  /** Standard deviation of the log ratio of a round, in percent (times 100). */
  windowSd: number;
  /** Standard error of a second's log ratio if its rounds were independent, in percent. */
  expectedError: number;
  /** Spread of the seconds with its interval, in percent. */
  secondError: Estimate | null;
  /** Mean log ratio over the seconds, in percent. */
  ratio: Estimate | null;
  seconds: number;
};

/** Precision of one second of bursts, for several burst lengths, in random order second by second. `--only` names other servers. */
export async function compareBursts({ runs, seed, signal, only }: LongOptions) {
  const servers = loadedByNames(only?.split(',') ?? usualNames);
  const seconds = runs ?? usualSeconds;
  announceTime(
    `${lengthsMs.length} lengths for ${seconds} s each on ${servers.length} servers`,
    servers.length * (lengthsMs.length * seconds * 1.1 + 10),
  );
  const rows: BurstRow[] = [];
  const directory = makeDataDirectory();
  try {
    for (const server of servers) {
      if (signal.aborted) break;
      const turns = await takeTurns(server, seconds, { directory, seed, signal });
      rows.push(...lengthsMs.flatMap((burstMs) => rowOf(server.name, burstMs, turns.get(burstMs) ?? [])));
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return { rows, text: printBursts(rows) };
}

type Place = { directory: string; seed: number; signal: AbortSignal };

/** Seconds by length; those so far when interrupted. */
async function takeTurns(server: Loaded, count: number, place: Place): Promise<Map<number, Second[]>> {
  const { directory, seed, signal } = place;
  const turns = new Map<number, Second[]>(lengthsMs.map((burstMs) => [burstMs, []]));
  const generator = await startGenerator(1, { signal });
  try {
    const target = await startLoaded(server, directory, signal);
    try {
      const bench = await openBench(generator, server, target.listeners);
      const ms =
        compilingOf(runRequestSchema.parse(server.request)) === null ? warmUpMs.other : warmUpMs.compiling;
      await takeSecond(bench, { burstMs: 20, ms, seed, signal });
      const draw = drawsOf(seed);
      for (let turn = 0; turn < count; turn++) {
        for (const burstMs of shuffle(lengthsMs, draw)) {
          const second = await takeSecond(bench, { burstMs, ms: 1000, seed: seed + turn + 1, signal });
          if (second !== null) turns.get(burstMs)?.push(second);
        }
      }
      process.stderr.write(`${server.name}: done\n`);
    } finally {
      await target.stop();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await generator.stop();
  }
  return turns;
}

/** Null if the CPU was not read. */
async function takeSecond(
  bench: Bench<SideName>,
  how: Parameters<typeof runRounds>[1],
): Promise<Second | null> {
  const startedMs = performance.now();
  const rounds = await Array.fromAsync(runRounds(bench, how));
  const elapsedS = (performance.now() - startedMs) / 1000;
  const logs = rounds.map((round) => logOf(sumRounds(bench.arms, [round])));
  const log = logOf(sumRounds(bench.arms, rounds));
  if (![...logs, log].every(Number.isFinite)) return null;
  const burstMs = meanOf(rounds.flatMap(({ turns }) => turns.map(({ burst }) => burst.elapsedUs / 1000)));
  return { rounds: rounds.length, elapsedS, logs, log, burstMs };
}

function logOf(sums: Record<SideName, Sum>): number {
  const cost = ({ cpuUs, transactions }: Sum) => cpuUs / transactions;
  return Math.log(cost(sums.comparison) / cost(sums.baseline));
}

function rowOf(server: string, burstMs: number, seconds: readonly Second[]): BurstRow[] {
  const windowSd = spreadOf(seconds.flatMap(({ logs }) => logs));
  if (windowSd === null) return [];
  const elapsedS = seconds.reduce((sum, second) => sum + second.elapsedS, 0);
  const roundsPerS = seconds.reduce((sum, { rounds }) => sum + rounds, 0) / elapsedS;
  // A turn is a little longer or shorter than a second.
  const logs = seconds.map(({ log }) => 100 * log);
  const root = Math.sqrt(elapsedS / seconds.length);
  const spread = spreadInterval(logs);
  return [
    {
      ...({ bench: 'bursts', server, burstMs } as const),
      lastedMs: meanOf(seconds.map((second) => second.burstMs)),
      ...{ roundsPerS, windowSd: 100 * windowSd, expectedError: (100 * windowSd) / Math.sqrt(roundsPerS) },
      secondError:
        spread === null ? null : { center: root * spread.center, lo: root * spread.lo, hi: root * spread.hi },
      ...{ ratio: meanInterval(logs), seconds: seconds.length },
    },
  ];
}

function printBursts(rows: readonly BurstRow[]): string {
  const percent = (value: number) => value.toFixed(1).replace('-', '−');
  const estimate = (of: Estimate | null) =>
    of === null ? '' : `${percent(of.center)} (${percent(of.lo)} to ${percent(of.hi)})`;
  const shift = (log: number) => 100 * Math.expm1(log / 100);
  return printTable(
    [
      ...['server', 'burst, ms', 'lasted, ms', 'rounds/s', 'window sd, %', 'standard error of a second, %'],
      ...['expected from rounds, %', 'HTTPS against HTTP, %', 'seconds'],
    ],
    rows.map((row) => [
      ...[row.server, `${row.burstMs}`, row.lastedMs.toFixed(1), row.roundsPerS.toFixed(1)],
      ...[percent(row.windowSd), estimate(row.secondError), percent(row.expectedError)],
      row.ratio === null
        ? ''
        : estimate({ center: shift(row.ratio.center), lo: shift(row.ratio.lo), hi: shift(row.ratio.hi) }),
      `${row.seconds}`,
    ]),
  );
}

/** Shared by the benches of the method: a server loaded in rounds, without a plan. */

/** Number of users, because no load is searched here. */
const users = 8;
const usualBytes = 10_000;
const twoSides = [
  { name: 'baseline', letter: 'A' },
  { name: 'comparison', letter: 'B' },
] as const satisfies Arms<SideName>;

/** A server that is started, and the requests to it. */
type Loaded = { name: string; request: RunRequestInput; scenario: Scenario };

/**
 * Null if the server is not installed.
 * @param name `storefront` (with its journey) or a managed server, optionally with its page's bytes: `nginx-1000`
 */
function loadedBy(name: string): Loaded | null {
  if (name === 'storefront') return { name, request: {}, scenario: searchScenario };
  const [, title = '', bytes] = /^([a-z0-9]+?)(?:-(\d+))?$/.exec(name) ?? [];
  const server = serverNames.find((each) => each === title);
  if (server === undefined)
    throw new Error(
      `"${name}" is not storefront, ${serverNames.join(', ')}, or one with bytes as in nginx-1000.`,
    );
  if (!findServers().some((each) => each.name === server && each.installed)) return null;
  const size = Number(bytes ?? usualBytes);
  return {
    ...{ name, request: { target: { kind: 'managed', server, documents: [size] } } },
    scenario: pathScenario([`/${size}.html`], null),
  };
}

/** Installed servers among `names`. */
function loadedByNames(names: readonly string[]): Loaded[] {
  return names.flatMap((name) => {
    const loaded = loadedBy(name);
    if (loaded === null) process.stderr.write(`${name} is not installed and is left out.\n`);
    return loaded ?? [];
  });
}

type Bench<Name extends string> = {
  arms: readonly Name[];
  generator: Generator;
  readings: Readings<Name>;
};

/** Starts the server for both sides. */
function startLoaded(
  { request }: Loaded,
  dataDirectory: string,
  signal: AbortSignal,
): Promise<OpenTarget<SideName>> {
  const house = { dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null };
  return openTarget(askTarget(runRequestSchema.parse(request), twoSides, {}), house, signal);
}

/** Points the generator at all these arms, and pins generator and target to cores as a run does. */
async function openBench<Name extends string>(
  generator: Generator,
  { request, scenario }: Loaded,
  listeners: Record<Name, Listener>,
): Promise<Bench<Name>> {
  const arms = Object.keys(listeners) as Name[];
  await realApparatus.place(generator, { ours: true, listeners });
  const { tls, connectionPolicy } = runRequestSchema.parse(request);
  await generator.configure({
    ...{ listeners: arms.map((arm) => listeners[arm]), scenario, tls, connectionPolicy, connections: users },
    requestTimeoutMs: 5000,
  });
  for (const arm of arms) await generator.prepare(arm);
  return { arms, generator, readings: readingsHere(listeners, realApparatus) };
}

/** Rounds of turns of all arms in random order, for the given time, at least one. */
function runRounds<Name extends string>(
  { arms, generator, readings }: Bench<Name>,
  { burstMs, ...extent }: { burstMs: number; ms: number; seed: number; signal: AbortSignal },
): AsyncGenerator<Round<Name>> {
  const turns = arms.map((arm) => ({ arm, users, burstMs }));
  const declared = arms.map((name, place) => ({ name, letter: String.fromCharCode(65 + place) }));
  const bench = { arms: declared, generator, readings, readHost: () => null, beforeRound: null };
  return rounds(bench, () => turns, extent);
}

type Sum = { cpuUs: number; transactions: number };

function sumRounds<Name extends string>(
  arms: readonly Name[],
  rounds: readonly Round<Name>[],
): Record<Name, Sum> {
  return byArm(arms, (arm) =>
    rounds.reduce(
      (sum, round) => ({
        cpuUs: sum.cpuUs + (round.cpuUs?.[arm] ?? Number.NaN),
        transactions: sum.transactions + servedIn(round, arm),
      }),
      { cpuUs: 0, transactions: 0 },
    ),
  );
}

function servedIn<Name extends string>({ turns }: Round<Name>, arm: Name): number {
  return turns.reduce((sum, turn) => sum + (turn.arm === arm ? turn.burst.succeeded : 0), 0);
}
