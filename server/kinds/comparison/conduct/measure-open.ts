import { type Arm, arms, transportOf } from '../../../../shared/base/transport.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { Slot } from '../../../../shared/kinds/comparison/slot.ts';
import { seedRandom, shuffle } from '../../../method/statistics/random.ts';
import type { Readings } from '../../../targets/sampling/readings.ts';
import { judgeBlock } from '../analyse/drop-reasons.ts';
import { valuesOfSlot } from '../analyse/slot-values.ts';
import { disagreementBetween, readEdge, resourcesBetween, takeGrowth } from './block-edges.ts';
import type { BlockPlace } from './block-under-way.ts';
import { firstRowOf } from './first-row.ts';
import type { Instruments } from './instruments.ts';
import { letters } from './letters.ts';
import { watchMachine } from './watch-machine.ts';

const curveEveryMs = 100;
/** Of a slot, at most: the first arrivals find everything idle. */
const mostDiscardedMs = 100;

/** The same arrival rate on one arm after the other, in a random order. */
export async function measureOpen(
  place: BlockPlace,
  plan: Plan,
  openMs: number,
  instruments: Instruments,
  signal: AbortSignal,
): Promise<Block> {
  const { index, launch, epoch, seed } = place;
  const order = shuffle(arms, seedRandom(seed)).value;
  const slots: Slot[] = [];
  const reasons: Block['reasons'] = [];
  for (const arm of order) {
    signal.throwIfAborted();
    await instruments.generator.prepare(arm, true);
    await instruments.beforeWindow?.();
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
    order: order.map((arm) => letters[arm]).join(''),
    reasons: [...judgeBlock('steady', slots, plan), ...reasons.slice(0, 1)],
    slots,
    windows: [],
    ratios: {},
  };
}

/** One slot from idle to idle: no request is split by an edge, so CPU divided by transactions needs no correction. */
async function measureSlot(
  arm: Arm,
  { seed, transports, runStartedAtMs }: BlockPlace,
  plan: Plan,
  openMs: number,
  instruments: Instruments,
): Promise<{ slot: Slot; disagreement: string | null }> {
  const { generator, readings } = instruments;
  const startedAtMs = performance.now();
  const before = await readEdge(instruments);
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

  const target = resourcesBetween(arm, before, after, load, { cpuUs: null, curve: curve.points });
  const { stealRatio, foreignRatio } = machineSince(target?.cpuUs ?? 0, load.generatorCpuUs);
  return {
    slot: {
      arm,
      transport: transportOf(arm, transports),
      point: 'steady',
      startedAtMs: Math.round(startedAtMs - runStartedAtMs),
      load,
      target,
      host: stealRatio === null ? null : { stealRatio, foreignRatio: foreignRatio ?? 0 },
      curve: curve.points,
      values: valuesOfSlot('steady', load, target, takeGrowth(instruments, arm, target)),
    },
    disagreement: disagreementBetween({ [arm]: load }, before, after),
  };
}

/** Memory and CPU of the target every 100 ms, cheaply, for the charts and the peak. */
async function traceCurve(readings: Readings, arm: Arm, startedAtMs: number) {
  const points: Slot['curve'] = [];
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
