import { problem } from '../../../shared/base/problem.ts';
import type { SizesEvent } from '../../../shared/kinds/sizes/size-progress.ts';
import type { SizeRound, SizesFacts, SizesRequest } from '../../../shared/kinds/sizes/sizes.ts';
import type { Generator } from '../../drive/load/start-generator.ts';
import { median } from '../../method/statistics/intervals.ts';
import { meanOf } from '../../method/statistics/mean.ts';
import { drawsOf, shuffle } from '../../method/statistics/random.ts';
import { setAside } from '../../method/statistics/windows.ts';
import { type MachineUse, watchMachine } from '../../targets/sampling/machine.ts';
import { type ConfiguredHouse, realApparatus } from '../apparatus.ts';
import type { Task, Watch } from '../kind.ts';
import { Progress } from '../progress.ts';
import { type Connecting, openSizeStand, type SizeStand, type Visited } from './conduct-size-stand.ts';
import { type LoadSample, type LoneSample, poolSamples, twinRatios } from './size-samples.ts';
import { loadUsers, loneVisits, roundsOfLaunch, sizesPhases, usualRoundMs, wantsTurn } from './sizes-plan.ts';

type SizesTask = Task<SizesRequest, SizesFacts, SizeRound>;
type SizesWatch = Watch<SizesFacts, SizeRound>;

/**
 * A sweep, launch after launch of its servers, each warmed up and measured for one round or, where servers stand already,
 * for all of them. Each suite has servers and a generator of its own, and those of a launch live at once. A round is kept
 * when it ends. Whatever happens, servers and generators are gone when it returns.
 */
export async function conductSizes(
  { request, facts, blocks }: SizesTask,
  { signal, tell, keep }: SizesWatch,
  house: ConfiguredHouse,
  roundMs = usualRoundMs,
): Promise<void> {
  const { startGenerator, readHost } = house.apparatus ?? realApparatus;
  const measured = [...blocks];
  const phases = () => sizesPhases(request, blocks.length);
  const before = { rounds: blocks.length, steps: 0 };
  const progress = new Progress({ phases, counts: { round: 'round', step: 'turn' }, before }, tell);
  const visitor = { seed: facts.seed, roundMs, visits: 0, advance: () => progress.advance() };
  const generators: Generator[] = [];
  let round = blocks.length;
  let launch = nextLaunch(blocks);
  try {
    await progress.during(async () => {
      progress.enter('warm-up');
      for (const _ of request.suites) generators.push(await startGenerator(1, signal));
      while (round < request.rounds) {
        const until = Math.min(request.rounds, round + roundsOfLaunch(request));
        await inLaunch(request, generators, house, signal, async (stands, signal) => {
          if (round === blocks.length) await keep({ facts: await factsWith(facts, stands) });
          await warmUp(request, stands, signal);
          progress.enter('measuring');
          const places = placesOf(request, stands);
          for (; round < until; round++) {
            const block = { ...(await measureRound(round, places, visitor, { readHost }, signal)), launch };
            await keep({ block });
            measured.push(block);
            tell(mediansOf(measured));
            progress.endRound();
          }
        });
        launch++;
      }
    });
  } finally {
    await Promise.allSettled(generators.map((generator) => generator.stop()));
  }
}

function nextLaunch(before: readonly SizeRound[]): number {
  return before.reduce((last, { launch }) => Math.max(last, launch), -1) + 1;
}

/** Servers of all suites for as long as `use` takes; one that dies aborts it. */
async function inLaunch(
  request: SizesRequest,
  generators: readonly Generator[],
  house: ConfiguredHouse,
  cancelled: AbortSignal,
  use: (stands: readonly SizeStand[], signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const death = new AbortController();
  const signal = AbortSignal.any([cancelled, death.signal]);
  const stands: SizeStand[] = [];
  try {
    for (const [index, generator] of generators.entries()) {
      const stand = await openSizeStand(request, index, generator, house, signal);
      stands.push(stand);
      void stand.target.died.then((sentence) => death.abort(problem('target_died', sentence)));
    }
    await use(stands, signal);
  } finally {
    await Promise.allSettled(stands.map((stand) => stand.stop()));
  }
}

async function warmUp(
  { sizes }: SizesRequest,
  stands: readonly SizeStand[],
  signal: AbortSignal,
): Promise<void> {
  for (const place of sizes.keys()) {
    for (const stand of stands) {
      signal.throwIfAborted();
      await stand.warmUp(place, signal);
    }
  }
}

/** Every size at every stand. */
function placesOf({ sizes }: SizesRequest, stands: readonly SizeStand[]) {
  return stands.flatMap((stand) => [...sizes.keys()].map((place) => ({ stand, place })));
}

function mediansOf(rounds: readonly SizeRound[]): SizesEvent {
  const groups = Map.groupBy(
    rounds.flatMap(({ points }) => points),
    ({ size, arm }) => `${size} ${arm}`,
  );
  const points = [...groups.values()].flatMap((of) => {
    const [first] = of;
    if (first === undefined) return [];
    return [{ size: first.size, arm: first.arm, medianUs: median(of.map(({ medianUs }) => medianUs)) }];
  });
  return { type: 'sizes', points };
}

async function factsWith(facts: SizesFacts, stands: readonly SizeStand[]): Promise<SizesFacts> {
  const [http, ...suites] = facts.arms;
  const connecting: Connecting[] = [];
  for (const stand of stands) connecting.push(await stand.connect());
  return {
    ...facts,
    server: stands[0]?.target.server ?? null,
    load: { users: loadUsers, cores: stands[0]?.cores ?? null },
    placement: stands[0]?.placement ?? null,
    arms: [
      ...(http === undefined ? [] : [{ ...http, connectUs: connecting[0]?.baseline ?? null }]),
      ...suites.map((arm, index) => ({
        ...arm,
        negotiated: stands[index]?.negotiated ?? null,
        connectUs: connecting[index]?.comparison ?? null,
      })),
    ],
  };
}

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
