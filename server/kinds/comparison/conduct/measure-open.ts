import { namesOf, writeOrder } from '../../../../shared/base/arms.ts';
import type { BlockOf } from '../../../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { LoadResult, ResourceUse, SlotOf } from '../../../../shared/kinds/comparison/slot.ts';
import { firstRowOf } from '../../../measure/rounds.ts';
import { drawsOf, shuffle } from '../../../method/statistics/random.ts';
import type { Readings } from '../../../targets/sampling/readings.ts';
import { watchMachine } from '../../../targets/sampling/watch-machine.ts';
import { judgeBlock } from '../analyse/drop-reasons.ts';
import { valuesOfSlot } from '../analyse/slot-values.ts';
import { disagreementBetween, readEdge, resourcesBetween, takeGrowth } from './block-edges.ts';
import type { BlockPlace } from './block-under-way.ts';
import type { Instruments } from './instruments.ts';

const curveEveryMs = 100;
/** Of a slot, at most: the first arrivals find everything idle. */
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
