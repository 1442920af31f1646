import type { SizeRound } from '../../../../shared/size-sweep.ts';
import { meanOf } from '../../../statistics/mean.ts';
import { type Random, seedRandom, shuffle } from '../../../statistics/random.ts';
import { setAside } from '../../../statistics/set-aside.ts';
import { type MachineUse, watchMachine } from '../../comparison/conduct/watch-machine.ts';
import { poolSamples, type SizeSample } from '../analyse/pool-samples.ts';
import { twinRatios } from '../analyse/twin-ratios.ts';
import { wantsPass } from '../plan/plan-sizes.ts';
import type { SizeStand } from './size-stand.ts';
import type { SizesProgress } from './sizes-progress.ts';

export type Place = { stand: SizeStand; place: number };

type Pass = MachineUse & { samples: SizeSample[] };

/**
 * Passes over all sizes and arms, each in a random order and so short that all sizes share the machine's moments: where a core
 * is slow for a second, it is for every size. A pass in which the machine was disturbed is set aside as a whole.
 */
export async function measureRound(
  round: number,
  places: readonly Place[],
  seed: number,
  progress: SizesProgress,
  watching: Parameters<typeof watchMachine>[0],
  signal: AbortSignal,
): Promise<Omit<SizeRound, 'launch'>> {
  const machineSince = watchMachine(watching);
  let random: Random = seedRandom((seed + 7919 * (round + 1)) % 2 ** 31);
  const passes: Pass[] = [];
  const since = performance.now();
  while (wantsPass(passes.length, places.length, performance.now() - since)) {
    const drawn = shuffle(places, random);
    random = drawn.next;
    const samples: SizeSample[] = [];
    for (const { stand, place } of drawn.value) {
      signal.throwIfAborted();
      samples.push(await stand.visit(place, (seed + 104_729 * progress.visits) % 2 ** 31));
      progress.advance();
    }
    passes.push({ samples, ...machineSince(busyOf(samples), 0) });
  }
  const judged = setAside(passes);
  const kept = judged.filter(({ aside }) => !aside);
  const samples = kept.flatMap((pass) => pass.samples);
  const [steal, foreign] = [meanKnown(passes, 'stealRatio'), meanKnown(passes, 'foreignRatio')];
  return {
    round,
    points: poolSamples(samples),
    twin: twinRatios(samples),
    asideShare: 1 - kept.length / passes.length,
    machine: steal === null ? null : { stealRatio: steal, foreignRatio: foreign ?? 0 },
  };
}

function busyOf(samples: readonly SizeSample[]): number | null {
  return samples.reduce<number | null>(
    (sum, { busyUs }) => (sum === null || busyUs === null ? null : sum + busyUs),
    0,
  );
}

function meanKnown(passes: readonly Pass[], of: keyof MachineUse): number | null {
  const known = passes.flatMap((pass) => pass[of] ?? []);
  return known.length === 0 ? null : meanOf(known);
}
