import { problem } from '../../../../shared/base/problem.ts';
import type { SizesEvent } from '../../../../shared/kinds/sizes/size-progress.ts';
import type { SizeRound, SizesFacts, SizesRequest } from '../../../../shared/kinds/sizes/sizes.ts';
import type { Generator } from '../../../drive/load/start-generator.ts';
import { median } from '../../../method/statistics/quantile.ts';
import { realApparatus } from '../../apparatus.ts';
import type { ConfiguredHouse } from '../../house.ts';
import type { Task, Watch } from '../../kind.ts';
import { Progress } from '../../progress.ts';
import { loadUsers, roundsOfLaunch, sizesPhases, usualRoundMs } from '../plan/plan-sizes.ts';
import { measureRound } from './measure-round.ts';
import { type Connecting, openSizeStand, type SizeStand } from './size-stand.ts';

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
  const progress = new Progress({ phases, counts: { round: 'round', step: 'visit' }, before }, tell);
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
