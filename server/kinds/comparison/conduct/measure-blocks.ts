import { type Contrast, contrastOf } from '../../../../shared/base/arms.ts';
import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import type { BlockOf, WindowOf } from '../../../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { type LockstepWindow, lockstep } from '../../../measure/lockstep.ts';
import { type Sample, samples } from '../../../measure/rounds.ts';
import { judgeWindows } from '../../../method/statistics/judge-windows.ts';
import { orderEffectOf } from '../../../method/statistics/order-effect.ts';
import { lockstepRatios, maximumRatios, pairRatioOf } from '../analyse/block-ratios.ts';
import { type BlockPlace, closeBlock, openBlock } from './block-under-way.ts';
import type { Instruments } from './instruments.ts';

/**
 * The cost at load: samples of a second, each of about twenty rounds.
 * @param fits called after each sample; if it returns false, the block is dropped, because it was measured at the wrong load
 */
export async function measureAtLoad<Name extends string>(
  place: BlockPlace<Name>,
  plan: Plan,
  load: AtLoad,
  instruments: Instruments<Name>,
  signal: AbortSignal,
  fits: (sample: Sample<Name>) => boolean = () => true,
): Promise<BlockOf<Name> | null> {
  const block = await openBlock(instruments);
  const taken: Sample<Name>[] = [];
  const extent = { seed: place.seed, ms: plan.maximumMs, sampleMs: plan.sampleMs, signal };
  for await (const sample of samples(instruments, load, extent, place.runStartedAtMs)) {
    if (!fits(sample)) return null;
    taken.push(sample);
  }
  const windows = judgeWindows(taken.map(({ window }) => window));
  const contrast = contrastOf(instruments.arms);
  const rated = load.ratePerS !== null;
  return closeBlock(block, place, 'maximum', plan, instruments, {
    windows,
    ratios: maximumRatios(windows, contrast, { rated }),
    carryOver: carryOverIn(taken, windows, contrast, instruments.readings.shared),
    rated,
  });
}

/**
 * Effect of the order of turns on the block's log ratios. For CPU only if arms share a process tree, which is read at every switch; a
 * separate tree is billed for whole rounds.
 */
function carryOverIn<Name extends string>(
  taken: readonly Sample<Name>[],
  windows: readonly WindowOf<Name>[],
  { of }: Contrast<Name>,
  shared: boolean,
): BlockOf<Name>['carryOver'] {
  const kept = taken.filter((_, index) => windows[index]?.aside === false).flatMap(({ rounds }) => rounds);
  const effectOn = (id: 'cpu_at_load' | 'throughput', what: 'cpu' | 'time') => {
    const turns = kept.map(({ before, order, cost }) => ({ launch: 0, before, order, logCost: cost[what] }));
    const effect = orderEffectOf(turns, of);
    return effect === null
      ? {}
      : { [id]: { center: effect.center, error: effect.error, degrees: effect.degrees } };
  };
  return { ...(shared ? effectOn('cpu_at_load', 'cpu') : {}), ...effectOn('throughput', 'time') };
}

/** One user, who runs the transaction on one arm right after the other. */
export async function measureOneUser<Name extends string>(
  place: BlockPlace<Name>,
  plan: Plan,
  instruments: Instruments<Name>,
  signal: AbortSignal,
): Promise<BlockOf<Name>> {
  const block = await openBlock(instruments);
  const contrast = contrastOf(instruments.arms);
  const taken: LockstepWindow<Name>[] = [];
  const extent = { seed: place.seed, ms: plan.lockstepMs, signal };
  for await (const window of lockstep(instruments, plan, extent, place.runStartedAtMs)) taken.push(window);
  const judged = judgeWindows(taken);
  return closeBlock(block, place, 'lockstep', plan, instruments, {
    windows: judged.map(({ groups, ...window }) => ({ ...window, ...pairRatioOf(groups, contrast) })),
    ratios: lockstepRatios(judged, contrast),
  });
}
