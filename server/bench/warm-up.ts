import { rmSync } from 'node:fs';
import { type SideName, sideNames } from '../../shared/base/transport.ts';
import type { Listener } from '../../shared/target/target.ts';
import { type Generator, startGenerator } from '../drive/load/start-generator.ts';
import type { Round } from '../measure/rounds.ts';
import { meanOf, sumOf } from '../method/statistics/mean.ts';
import { median } from '../method/statistics/quantile.ts';
import type { OpenTarget } from '../targets/open-target.ts';
import { announceTime, type LongOptions } from './bench-options.ts';
import { printTable } from './print-table.ts';
import {
  type Loaded,
  loadedByNames,
  openBench,
  runRounds,
  servedIn,
  startLoaded,
  sumRounds,
} from './rounds.ts';
import { makeDataDirectory } from './test-server.ts';

const usualNames = ['storefront', 'node', 'jdk'];
const usualStarts = 4;
/** Length of each start. */
const startMs = 24_000;
const burstMs = 20;
/** Share of a start, at its end, that the rest is compared with. */
const endShare = 0.25;
const within = 0.05;
/** Transactions of a side at the end of the first stretch of the curve; each later end is `edgeFactor` times further. */
const firstEdge = 50;
const edgeFactor = 1.5;

/** A stretch of a start's curve, on one side. */
type Stretch = {
  /** Number of the stretch, the same in all starts. */
  nth: number;
  /** Transactions of the side, and seconds of all arms, at the start of the stretch. */
  from: number;
  fromS: number;
  transactions: number;
  /** Logarithm of CPU per transaction ÷ that of a warm process in the same rounds, minus its value at the end. */
  log: number;
};

type Start = { side: SideName; curve: Stretch[] };

type WarmUpRow = {
  bench: 'warm-up';
  server: string;
  side: SideName;
  starts: number;
  /** Transactions of the side until its cost is within 5 % of the end: from the mean curve, and median and range of the starts. */
  needed: number | null;
  ofStarts: { median: number; least: number; most: number } | null;
  /** Seconds until then, with two cold and two warm arms in turns. */
  seconds: number | null;
  /** Mean of the starts, and its falling curve, as multiples of the end. */
  curve: { from: number; cost: number; falling: number }[];
};

type Arm = SideName | `warm ${SideName}`;

/**
 * How many transactions servers that compile need until their cost settles. Each start is loaded in the same rounds as the one
 * before it, which is warm by then, so changes of the machine affect both. `--only` names other servers.
 */
export async function findWarmUp({ runs, seed, signal, only }: LongOptions) {
  const servers = loadedByNames(only?.split(',') ?? usualNames);
  const starts = runs ?? usualStarts;
  announceTime(
    `${starts} starts of ${servers.length} servers, and one before them`,
    (servers.length * (starts + 1) * (startMs + 2000)) / 1000,
  );
  const rows: WarmUpRow[] = [];
  const directory = makeDataDirectory();
  const generator = await startGenerator(1, { signal });
  try {
    for (const server of servers) {
      if (signal.aborted) break;
      const curves = await startAgain(server, starts, { directory, generator, seed, signal });
      rows.push(...sideNames.flatMap((side) => rowOf(server.name, side, curves)));
    }
  } finally {
    await generator.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  return { rows, text: printWarmUp(rows) };
}

type Place = { directory: string; generator: Generator; seed: number; signal: AbortSignal };

/** The starts so far when interrupted. */
async function startAgain(server: Loaded, starts: number, place: Place): Promise<Start[]> {
  const curves: Start[] = [];
  let warm: OpenTarget<SideName> | null = null;
  try {
    for (let start = 0; start <= starts; start++) {
      const cold: OpenTarget<SideName> = await startLoaded(server, place.directory, place.signal);
      try {
        const rounds = await loadBoth(server, cold, warm, { ...place, seed: place.seed + start });
        // The first start has nothing to compare with: it is the warm process of the second.
        if (warm !== null) curves.push(...sideNames.map((side) => ({ side, curve: curveOf(side, rounds) })));
      } finally {
        await warm?.stop();
        warm = cold;
      }
      process.stderr.write(`${server.name}: start ${start} of ${starts}\n`);
    }
  } catch (error) {
    if (!place.signal.aborted) throw error;
  } finally {
    await warm?.stop();
  }
  return curves;
}

type TimedRound = { atS: number; round: Round<Arm> };

async function loadBoth(
  server: Loaded,
  { listeners }: OpenTarget<SideName>,
  warm: OpenTarget<SideName> | null,
  { generator, seed, signal }: Place,
): Promise<TimedRound[]> {
  const others = warm === null ? {} : named(warm.listeners);
  const bench = await openBench(generator, server, { ...listeners, ...others } as Record<Arm, Listener>);
  const startedMs = performance.now();
  const timed: TimedRound[] = [];
  for await (const round of runRounds(bench, { burstMs, ms: startMs, seed, signal })) {
    timed.push({ atS: (performance.now() - startedMs) / 1000, round });
  }
  return timed;
}

function named(listeners: Record<SideName, Listener>): Record<`warm ${SideName}`, Listener> {
  const { baseline, comparison } = listeners;
  return {
    'warm baseline': { ...baseline, arm: 'warm baseline' },
    'warm comparison': { ...comparison, arm: 'warm comparison' },
  };
}

function curveOf(side: SideName, rounds: readonly TimedRound[]): Stretch[] {
  const lastS = rounds.at(-1)?.atS ?? 0;
  const end = logCost(
    side,
    rounds.filter(({ atS }) => atS >= (1 - endShare) * lastS),
  );
  const curve: Stretch[] = [];
  let stretch: TimedRound[] = [];
  let [nth, from, fromS, done] = [0, 0, 0, 0];
  for (const each of rounds) {
    stretch.push(each);
    done += servedIn(each.round, side);
    const next = Math.ceil(Math.log(done / firstEdge) / Math.log(edgeFactor));
    if (next <= nth && each !== rounds.at(-1)) continue;
    curve.push({ nth, from, fromS, transactions: done - from, log: logCost(side, stretch) - end });
    [stretch, nth, from, fromS] = [[], next, done, each.atS];
  }
  return curve.filter(({ log }) => Number.isFinite(log));
}

/** Compared with the side's warm process. */
function logCost(side: SideName, timed: readonly TimedRound[]): number {
  const warm = `warm ${side}` as const;
  const sums = sumRounds(
    [side, warm],
    timed.map(({ round }) => round),
  );
  const cost = (arm: typeof side | typeof warm) => sums[arm].cpuUs / sums[arm].transactions;
  return Math.log(cost(side) / cost(warm));
}

function rowOf(server: string, side: SideName, starts: readonly Start[]): WarmUpRow[] {
  const curves = starts.flatMap((start) => (start.side === side ? [start.curve] : []));
  if (curves.length === 0) return [];
  const mean = meanCurve(curves);
  const each = curves.flatMap((curve) => neededIn(curve)?.from ?? []);
  const needed = neededIn(mean);
  const falling = fallingThrough(mean);
  return [
    {
      ...({ bench: 'warm-up', server, side, starts: curves.length } as const),
      ...{ needed: needed?.from ?? null, seconds: needed?.fromS ?? null },
      ofStarts:
        each.length === 0
          ? null
          : { median: median(each), least: Math.min(...each), most: Math.max(...each) },
      curve: mean.map(({ from, log }, index) => ({
        from,
        ...{ cost: Math.exp(log), falling: Math.exp(falling[index] ?? log) },
      })),
    },
  ];
}

/** Mean over stretches that more than half of the starts have, because a round on a busy machine may skip one. */
function meanCurve(curves: readonly (readonly Stretch[])[]): Stretch[] {
  const byNth = Map.groupBy(curves.flat(), ({ nth }) => nth);
  return [...byNth.values()]
    .filter((own) => 2 * own.length > curves.length)
    .map((own) => {
      const transactions = sumOf(own.map((stretch) => stretch.transactions));
      return {
        nth: own[0]?.nth ?? 0,
        from: Math.round(meanOf(own.map(({ from }) => from))),
        fromS: meanOf(own.map(({ fromS }) => fromS)),
        transactions,
        log: sumOf(own.map((stretch) => stretch.transactions * stretch.log)) / transactions,
      };
    })
    .toSorted((a, b) => a.nth - b.nth);
}

/** The first stretch at which the falling curve is close to the end. */
function neededIn(curve: readonly Stretch[]): Stretch | null {
  const falling = fallingThrough(curve);
  return curve[falling.findIndex((log) => log <= Math.log1p(within))] ?? null;
}

/**
 * The closest curve that never rises, weighted by transactions: neighbors that rise are merged into one level, their mean.
 * Source: pool adjacent violators, Barlow et al., Statistical Inference under Order Restrictions (1972).
 */
export function fallingThrough(curve: readonly Pick<Stretch, 'log' | 'transactions'>[]): number[] {
  const levels: { log: number; transactions: number; length: number }[] = [];
  for (const { log, transactions } of curve) {
    let level = { log, transactions, length: 1 };
    for (let last = levels.at(-1); last !== undefined && last.log < level.log; last = levels.at(-1)) {
      levels.pop();
      const both = last.transactions + level.transactions;
      const sum = last.transactions * last.log + level.transactions * level.log;
      level = { log: sum / both, transactions: both, length: last.length + level.length };
    }
    levels.push(level);
  }
  return levels.flatMap(({ log, length }) => Array.from({ length }, () => log));
}

function printWarmUp(rows: readonly WarmUpRow[]): string {
  const table = printTable(
    [
      'server',
      'side',
      'starts',
      'transactions needed',
      'median over the starts',
      'seconds, four arms in turns',
    ],
    rows.map(({ server, side, starts, needed, ofStarts, seconds }) => [
      ...[server, side, `${starts}`, needed === null ? 'more' : `${needed}`],
      ofStarts === null ? '' : `${ofStarts.median.toFixed(0)} (${ofStarts.least} to ${ofStarts.most})`,
      seconds === null ? '' : seconds.toFixed(1),
    ]),
  );
  const curves = rows.map(({ server, side, curve }) => {
    const points = curve.map(
      ({ from, cost, falling }) => `${from}: ${cost.toFixed(2)} (${falling.toFixed(2)})`,
    );
    return `${server}, ${side}: ${points.join(', ')}\n`;
  });
  const legend =
    'Transactions so far, and CPU per transaction as a multiple of that at the end (with its falling curve):\n';
  return `${table}\n${legend}${curves.join('')}`;
}
