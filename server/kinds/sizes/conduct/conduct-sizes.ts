import { problem } from '../../../../shared/problem.ts';
import type { SizeRound, SizesFacts, SizesRequest } from '../../../../shared/size-sweep.ts';
import type { Task, Watch } from '../../../measurement/kind.ts';
import { realApparatus } from '../../apparatus.ts';
import type { ConfiguredHouse } from '../../house.ts';
import { measureRound } from './measure-round.ts';
import { openSizeStand, type SizeStand } from './size-stand.ts';
import { SizesProgress } from './sizes-progress.ts';

/**
 * A sweep from the start of its servers to its last round. Each suite has servers of its own, and all of them live at once.
 * A round is kept when it ends. Whatever happens, servers and generators are gone when it returns.
 */
export async function conductSizes(
  { request, facts, blocks }: Task<SizesRequest, SizesFacts, SizeRound>,
  { signal: cancelled, tell, keep }: Watch<SizesFacts, SizeRound>,
  house: ConfiguredHouse,
): Promise<void> {
  const progress = new SizesProgress(request, tell, blocks);
  const death = new AbortController();
  const signal = AbortSignal.any([cancelled, death.signal]);
  const stands: SizeStand[] = [];
  const ticker = setInterval(() => progress.tell(), progressEveryMs);
  try {
    progress.enter('warm-up');
    for (const index of request.suites.keys()) {
      const stand = await openSizeStand(request, index, house, signal);
      stands.push(stand);
      void stand.target.died.then((sentence) => death.abort(problem('target_died', sentence)));
    }
    await keep({ facts: factsWith(facts, stands) });
    for (const place of request.sizes.keys()) {
      for (const stand of stands) {
        signal.throwIfAborted();
        await stand.warmUp(place);
      }
    }
    progress.enter('measuring');
    const places = placesOf(request, stands);
    const { readHost } = house.apparatus ?? realApparatus;
    for (let round = blocks.length; round < request.rounds; round++) {
      const measured = await measureRound(round, places, facts.seed, progress, { readHost }, signal);
      await keep({ block: measured });
      progress.endRound(measured);
    }
  } finally {
    clearInterval(ticker);
    await Promise.allSettled(stands.map((stand) => stand.stop()));
  }
}

const progressEveryMs = 1000;

/** Every size at every stand. */
function placesOf({ sizes }: SizesRequest, stands: readonly SizeStand[]) {
  return stands.flatMap((stand) => [...sizes.keys()].map((place) => ({ stand, place })));
}

function factsWith(facts: SizesFacts, stands: readonly SizeStand[]): SizesFacts {
  const [http, ...suites] = facts.arms;
  return {
    ...facts,
    server: stands[0]?.target.server ?? null,
    placement: stands[0]?.placement ?? null,
    arms: [
      ...(http === undefined ? [] : [{ ...http, connectUs: stands[0]?.connectUs.baseline ?? null }]),
      ...suites.map((arm, index) => ({
        ...arm,
        negotiated: stands[index]?.negotiated ?? null,
        connectUs: stands[index]?.connectUs.comparison ?? null,
      })),
    ],
  };
}
