import { byArmInTurn, namesOf, writeOrder } from '../../../../shared/base/arms.ts';
import type { Transport } from '../../../../shared/base/transport.ts';
import type { BlockOf, DropReason, WindowOf } from '../../../../shared/kinds/comparison/block.ts';
import type { OperatingPoint, Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { LoadResult, ResourceUse, SlotOf } from '../../../../shared/kinds/comparison/slot.ts';
import { firstRowOf } from '../../../measure/rounds.ts';
import { drawsOf, shuffle } from '../../../method/statistics/random.ts';
import { watchMachine } from '../../../targets/sampling/machine.ts';
import type { Readings } from '../../../targets/sampling/readings.ts';
import { judgeBlock, valuesOfSlot } from '../drop-reasons.ts';
import {
  disagreementBetween,
  type Edge,
  type Instruments,
  readEdge,
  resourcesBetween,
  takeGrowth,
} from './block-edges.ts';

/** Which block of a run it is, and what it needs to know of the run. */
export type BlockPlace<Name extends string> = {
  index: number;
  launch: number;
  epoch: number;
  transports: Record<Name, Transport>;
  /** Label of each arm. */
  labels: Record<Name, string>;
  /** Seed of its random orders. */
  seed: number;
  /** On the clock of `performance.now()`. */
  runStartedAtMs: number;
};

type BlockUnderWay<Name extends string> = { startedAtMs: number; edge: Edge<Name> };

/** Opens the connections that are missing, forgets what was counted, and reads the first edge. */
export async function openBlock<Name extends string>(
  instruments: Instruments<Name>,
): Promise<BlockUnderWay<Name>> {
  for (const arm of namesOf(instruments.arms)) {
    await instruments.generator.prepare(arm);
    await instruments.generator.clear(arm);
  }
  const edge = await readEdge(instruments);
  return { startedAtMs: performance.now(), edge };
}

/** The block, with one slot an arm that is the sum of what the arm did in it. */
export async function closeBlock<Name extends string>(
  { startedAtMs, edge: before }: BlockUnderWay<Name>,
  place: BlockPlace<Name>,
  kind: Exclude<OperatingPoint, 'steady'>,
  plan: Plan,
  instruments: Instruments<Name>,
  {
    windows,
    ratios,
    carryOver = {},
    rated = false,
  }: Pick<BlockOf<Name>, 'windows' | 'ratios' | 'carryOver'> & { rated?: boolean },
): Promise<BlockOf<Name>> {
  const arms = namesOf(instruments.arms);
  const after = await readEdge(instruments);
  const loads = await byArmInTurn(arms, (arm) => instruments.generator.collect(arm));
  const { index, launch, epoch, transports, runStartedAtMs } = place;
  const slots = arms.map((arm): SlotOf<Name> => {
    const load = kind === 'maximum' ? withoutHistograms(loads[arm]) : loads[arm];
    instruments.connectionsOpened.set(arm, load.connectionsOpened);
    const curve = curveOf(windows, arm, after);
    const isReadByTurn = instruments.readings.shared || instruments.companions !== undefined;
    const cpuUs = isReadByTurn ? cpuOf(windows, arm) : null;
    // The edges alone hold the work of all arms.
    const target =
      isReadByTurn && cpuUs === null
        ? null
        : resourcesBetween(arm, before, after, load, { cpuUs, busiestUs: busiestOf(windows, arm), curve });
    const growthBytes = takeGrowth(instruments, arm, target);
    return {
      arm,
      transport: transports[arm],
      point: kind,
      startedAtMs: Math.round(startedAtMs - runStartedAtMs),
      load,
      target,
      host: hostOf(windows),
      curve,
      values: valuesOfSlot(kind, load, target, growthBytes, rated),
    };
  });
  return {
    index,
    kind,
    launch,
    epoch,
    order: writeOrder(instruments.arms, arms),
    reasons: [
      ...judgeBlock(kind, slots, { plan, labels: place.labels, windows }),
      ...disagreeing(loads, before, after),
    ],
    slots,
    windows,
    ratios,
    ...(Object.keys(carryOver).length === 0 ? {} : { carryOver }),
  };
}

/** At load, latency is mostly users waiting for each other. It is never read, and would be half of the document. */
function withoutHistograms(load: LoadResult): LoadResult {
  return { ...load, latencyHistogram: '', phaseHistograms: null };
}

function disagreeing<Name extends string>(
  loads: Record<Name, LoadResult>,
  before: Edge<Name>,
  after: Edge<Name>,
): DropReason[] {
  const message = disagreementBetween(loads, before, after);
  return message === null ? [] : [{ code: 'handshakes_disagree', message, spoils: 'all' }];
}

function cpuOf<Name extends string>(windows: readonly WindowOf<Name>[], arm: Name): number | null {
  const each = windows.map((window) => window.arms[arm].cpuUs);
  return each.includes(null) ? null : each.reduce((sum: number, cpuUs) => sum + (cpuUs ?? 0), 0);
}

/** CPU of the program that used most; null where the target works alone, and in lockstep. */
function busiestOf<Name extends string>(windows: readonly WindowOf<Name>[], arm: Name): number | null {
  const each = windows.flatMap((window) => window.arms[arm].programsUs ?? []);
  const programs = windows[0]?.arms[arm].programsUs?.length ?? 0;
  if (programs === 0) return null;
  const sums = Array.from({ length: programs }, (_, place) =>
    each.reduce((sum, us, index) => (index % programs === place ? sum + us : sum), 0),
  );
  return Math.max(0, ...sums);
}

/** For the charts; CPU is that of the arm's own turns. */
function curveOf<Name extends string>(
  windows: readonly WindowOf<Name>[],
  arm: Name,
  { resources }: Edge<Name>,
): SlotOf<Name>['curve'] {
  const rssBytes = resources[arm]?.rssBytes ?? null;
  const first = windows[0]?.startedAtMs ?? 0;
  const last = windows.at(-1);
  if (rssBytes === null || last === undefined) return [];
  const cpuUs = cpuOf(windows, arm) ?? 0;
  const ms = Math.max(1, last.startedAtMs + last.elapsedMs - first);
  return [{ atMs: ms, rssBytes, cpuPercent: Math.round(cpuUs / ms) / 10 }];
}

function hostOf(windows: readonly WindowOf<string>[]): SlotOf<string>['host'] {
  const mean = (values: (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  const stealRatio = mean(windows.map((window) => window.stealRatio));
  const foreignRatio = mean(windows.map((window) => window.foreignRatio));
  return stealRatio === null ? null : { stealRatio, foreignRatio: foreignRatio ?? 0 };
}

const curveEveryMs = 100;
/** Most time to discard in a slot, because the first arrivals find everything idle. */
const mostDiscardedMs = 100;

/** The same arrival rate on one arm after the other, in a random order. */
export async function measureOpen<Name extends string>(
  place: BlockPlace<Name>,
  plan: Plan,
  openMs: number,
  instruments: Instruments<Name>,
  signal: AbortSignal,
): Promise<BlockOf<Name>> {
  const { index, launch, epoch, seed } = place;
  const order = shuffle(namesOf(instruments.arms), drawsOf(seed));
  const slots: SlotOf<Name>[] = [];
  const reasons: BlockOf<Name>['reasons'] = [];
  for (const arm of order) {
    signal.throwIfAborted();
    await instruments.generator.prepare(arm, true);
    await instruments.beforeRound?.();
    const { slot, disagreement } = await measureSlot(arm, place, plan, openMs, instruments);
    slots.push(slot);
    if (disagreement !== null) {
      reasons.push({ code: 'handshakes_disagree', message: disagreement, spoils: 'all' });
    }
  }
  return {
    index,
    kind: 'steady',
    launch,
    epoch,
    order: writeOrder(instruments.arms, order),
    reasons: [...judgeBlock('steady', slots, { plan, labels: place.labels }), ...reasons.slice(0, 1)],
    slots,
    windows: [],
    ratios: {},
  };
}

/** One slot from idle to idle: no request is split by an edge, so CPU divided by transactions needs no correction. */
async function measureSlot<Name extends string>(
  arm: Name,
  { seed, transports, runStartedAtMs }: BlockPlace<Name>,
  plan: Plan,
  openMs: number,
  instruments: Instruments<Name>,
): Promise<{ slot: SlotOf<Name>; disagreement: string | null }> {
  const { generator, readings } = instruments;
  const startedAtMs = performance.now();
  const before = await readEdge(instruments);
  const besideFrom = instruments.others?.readUs() ?? null;
  const machineSince = watchMachine(instruments);
  const curve = await traceCurve(readings, arm, startedAtMs);
  const load = await generator
    .run(arm, {
      durationMs: openMs,
      discardMs: Math.min(mostDiscardedMs, openMs / 5) + plan.rampMs,
      ratePerS: plan.ratePerS,
      rampMs: plan.rampMs,
      firstRow: firstRowOf(seed, 0),
    })
    .finally(() => curve.stop());
  instruments.connectionsOpened.set(arm, load.connectionsOpened);
  const after = await readEdge(instruments);

  const besideUs = await usedBeside(instruments, besideFrom);
  const own = resourcesBetween(arm, before, after, load, { cpuUs: null, curve: curve.points });
  const target = own === null || besideUs === 0 ? own : withBeside(own, besideUs);
  const { stealRatio, foreignRatio } = machineSince(target?.cpuUs ?? 0, load.generatorCpuUs);
  return {
    slot: {
      arm,
      transport: transports[arm],
      point: 'steady',
      startedAtMs: Math.round(startedAtMs - runStartedAtMs),
      load,
      target,
      host: stealRatio === null ? null : { stealRatio, foreignRatio: foreignRatio ?? 0 },
      curve: curve.points,
      values: valuesOfSlot('steady', load, target, takeGrowth(instruments, arm, target)),
    },
    disagreement: disagreementBetween({ [arm]: load } as Partial<Record<Name, LoadResult>>, before, after),
  };
}

/** The two counts that it is checked against are the target's alone. */
function withBeside(own: ResourceUse, besideUs: number): ResourceUse {
  return { ...own, cpuUs: own.cpuUs + besideUs, cpuTickUs: null, cpuWitnessUs: null };
}

/** CPU of the programs that work for the target since a reading, µs. */
async function usedBeside(
  { others }: Pick<Instruments<string>, 'others'>,
  from: ReadonlyMap<number, number> | null,
): Promise<number> {
  if (others == null || from === null) return 0;
  await others.awaitAsleep();
  return [...others.readUs()].reduce((sum, [key, us]) => sum + us - (from.get(key) ?? 0), 0);
}

/** Memory and CPU of the target every 100 ms, cheaply, for the charts and the peak. */
async function traceCurve<Name extends string>(readings: Readings<Name>, arm: Name, startedAtMs: number) {
  const points: SlotOf<Name>['curve'] = [];
  const first = await readings.readCurve(arm);
  if (first === null) return { points, stop: () => {} };
  let lastMs = performance.now();
  let lastCpuUs = first.cpuUs;
  const read = async () => {
    const reading = await readings.readCurve(arm);
    if (reading === null) return;
    const nowMs = performance.now();
    const { cpuUs, rssBytes } = reading;
    points.push({
      atMs: Math.round(nowMs - startedAtMs),
      rssBytes,
      cpuPercent: Math.round(Math.max(0, (cpuUs - lastCpuUs) / (nowMs - lastMs) / 10) * 10) / 10,
    });
    lastMs = nowMs;
    lastCpuUs = cpuUs;
  };
  // The edge that follows fails with the same problem.
  const timer = setInterval(() => void read().catch(() => clearInterval(timer)), curveEveryMs);
  return { points, stop: () => clearInterval(timer) };
}
