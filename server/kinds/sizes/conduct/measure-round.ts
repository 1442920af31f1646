import type { SizeRound } from '../../../../shared/kinds/sizes/sizes.ts';
import { meanOf } from '../../../method/statistics/mean.ts';
import { drawsOf, shuffle } from '../../../method/statistics/random.ts';
import { setAside } from '../../../method/statistics/set-aside.ts';
import { type MachineUse, watchMachine } from '../../../targets/sampling/watch-machine.ts';
import { type LoadSample, type LoneSample, poolSamples } from '../analyse/pool-samples.ts';
import { twinRatios } from '../analyse/twin-ratios.ts';
import { loneVisits, wantsTurn } from '../plan/plan-sizes.ts';
import type { SizeStand, Visited } from './size-stand.ts';

type Place = { stand: SizeStand; place: number };

/** Draws a seed of its own for each visit since the sweep began. */
type Visitor = { readonly seed: number; readonly roundMs: number; visits: number; advance(): void };

type Pass<Sample> = MachineUse & { elapsedMs: number; samples: Sample[] };

/**
 * Passes over all sizes and arms, each in a random order and so short that all sizes share the machine's moments: where a core
 * is slow for a second, it is for every size. Those by one user say what a request takes, those at load what it costs. A pass in
 * which the machine was disturbed is set aside as a whole.
 */
export async function measureRound(
  round: number,
  places: readonly Place[],
  visitor: Visitor,
  watching: Parameters<typeof watchMachine>[0],
  signal: AbortSignal,
): Promise<Omit<SizeRound, 'launch'>> {
  const machineSince = watchMachine(watching);
  const draw = drawsOf((visitor.seed + 7919 * (round + 1)) % 2 ** 31);
  const since = performance.now();

  async function pass<Sample>(
    visit: (place: Place, seed: number) => Promise<Visited<Sample>>,
  ): Promise<Pass<Sample>> {
    const fromMs = performance.now();
    const visits: Visited<Sample>[] = [];
    for (const place of shuffle(places, draw)) {
      signal.throwIfAborted();
      visits.push(await visit(place, (visitor.seed + 104_729 * visitor.visits++) % 2 ** 31));
      visitor.advance();
    }
    const use = machineSince(busyOf(visits), 0);
    return { samples: visits.map(({ sample }) => sample), elapsedMs: performance.now() - fromMs, ...use };
  }

  const lone: Pass<LoneSample>[] = [];
  const atLoad: Pass<LoadSample>[] = [];
  for (let turn = 0; wantsTurn(turn, places.length, performance.now() - since, visitor.roundMs); turn++) {
    for (let nth = 0; nth < loneVisits; nth++) {
      lone.push(await pass(({ stand, place }, seed) => stand.visit(place, seed)));
    }
    atLoad.push(await pass(({ stand, place }, seed) => stand.visitAtLoad(place, seed, signal)));
  }
  const passes = [...lone, ...atLoad];
  const kept = { lone: undisturbed(lone), atLoad: undisturbed(atLoad) };
  const samples = {
    lone: kept.lone.flatMap((each) => each.samples),
    atLoad: kept.atLoad.flatMap((each) => each.samples),
  };
  const [steal, foreign] = [meanKnown(passes, 'stealRatio'), meanKnown(passes, 'foreignRatio')];
  return {
    round,
    points: poolSamples(samples),
    twin: twinRatios(samples),
    asideShare: 1 - (kept.lone.length + kept.atLoad.length) / passes.length,
    machine: steal === null ? null : { stealRatio: steal, foreignRatio: foreign ?? 0 },
  };
}

function undisturbed<Sample>(passes: readonly Pass<Sample>[]): Pass<Sample>[] {
  return setAside(passes).filter(({ aside }) => !aside);
}

function busyOf(visits: readonly Visited<unknown>[]): number | null {
  return visits.reduce<number | null>(
    (sum, { busyUs }) => (sum === null || busyUs === null ? null : sum + busyUs),
    0,
  );
}

function meanKnown(passes: readonly MachineUse[], of: keyof MachineUse): number | null {
  const known = passes.flatMap((pass) => pass[of] ?? []);
  return known.length === 0 ? null : meanOf(known);
}
