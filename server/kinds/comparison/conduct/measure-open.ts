import { availableParallelism } from 'node:os';
import type { Block } from '../../../../shared/block.ts';
import type { Plan } from '../../../../shared/load-profile.ts';
import type { Slot } from '../../../../shared/slot.ts';
import { type Arm, arms, transportOf } from '../../../../shared/transport.ts';
import { hostUse } from '../../../sampling/host.ts';
import type { ProcessSampler } from '../../../sampling/process-sampler.ts';
import { seedRandom, shuffle } from '../../../statistics/random.ts';
import { judgeBlock } from '../analyse/drop-reasons.ts';
import { valuesOfSlot } from '../analyse/slot-values.ts';
import { disagreementBetween, readEdge, resourcesBetween, takeGrowth } from './block-edges.ts';
import type { BlockPlace } from './block-under-way.ts';
import { firstRowOf } from './first-row.ts';
import type { Instruments } from './instruments.ts';

const letters: Record<Arm, string> = { baseline: 'A', comparison: 'B', twin: 'N' };
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
  const { generator, readHost } = instruments;
  const startedAtMs = performance.now();
  const before = await readEdge(instruments);
  const hostBefore = readHost();
  const ownBefore = process.cpuUsage();
  const curve = traceCurve(instruments.samplers[arm], startedAtMs);
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
  const own = process.cpuUsage(ownBefore);
  const hostAfter = readHost();
  const after = await readEdge(instruments);

  const target = resourcesBetween(arm, before, after, load, { cpuUs: null, curve: curve.points });
  const busyUs = own.user + own.system + load.generatorCpuUs + (target?.cpuUs ?? 0);
  return {
    slot: {
      arm,
      transport: transportOf(arm, transports),
      point: 'steady',
      startedAtMs: Math.round(startedAtMs - runStartedAtMs),
      load,
      target,
      host:
        hostBefore === null || hostAfter === null
          ? null
          : hostUse(hostBefore, hostAfter, busyUs, availableParallelism()),
      curve: curve.points,
      values: valuesOfSlot('steady', load, target, takeGrowth(instruments, arm, target)),
    },
    disagreement: disagreementBetween({ [arm]: load }, before, after),
  };
}

/** Memory and CPU of the target every 100 ms, cheaply, for the charts and the peak. */
function traceCurve(sampler: ProcessSampler | null, startedAtMs: number) {
  const points: Slot['curve'] = [];
  if (sampler === null) return { points, stop: () => {} };
  let lastMs = performance.now();
  let lastCpuUs = sampler.readCpuUs();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const cpuUs = sampler.readCpuUs();
    points.push({
      atMs: Math.round(nowMs - startedAtMs),
      rssBytes: sampler.readMemory(),
      cpuPercent: Math.round(Math.max(0, (cpuUs - lastCpuUs) / (nowMs - lastMs) / 10) * 10) / 10,
    });
    lastMs = nowMs;
    lastCpuUs = cpuUs;
  }, curveEveryMs);
  return { points, stop: () => clearInterval(timer) };
}
