import { byArmInTurn, namesOf, writeOrder } from '../../../../shared/base/arms.ts';
import type { Transport } from '../../../../shared/base/transport.ts';
import type { BlockOf, DropReason, WindowOf } from '../../../../shared/kinds/comparison/block.ts';
import type { OperatingPoint, Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { LoadResult, SlotOf } from '../../../../shared/kinds/comparison/slot.ts';
import { judgeBlock } from '../analyse/drop-reasons.ts';
import { valuesOfSlot } from '../analyse/slot-values.ts';
import { disagreementBetween, type Edge, readEdge, resourcesBetween, takeGrowth } from './block-edges.ts';
import type { Instruments } from './instruments.ts';

/** Which block of a run it is, and what it needs to know of the run. */
export type BlockPlace<Name extends string> = {
  index: number;
  launch: number;
  epoch: number;
  transports: Record<Name, Transport>;
  /** What each arm is called. */
  labels: Record<Name, string>;
  /** Of its random orders. */
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
