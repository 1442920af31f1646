import { noPast, type Past } from '../../../../shared/kinds/comparison/past.ts';
import type { RunFacts } from '../../../../shared/kinds/comparison/run.ts';
import type { ConfiguredHouse, StoredLoad } from '../../house.ts';
import type { RunUnderWay } from './run-under-way.ts';

/**
 * What earlier runs say, to be noted before the figures are made: they are then made from what is kept of the run alone, today and in a
 * year. A run that has been measured is not lost for a look-up that fails.
 */
export async function lookUpPast(run: RunUnderWay, house: ConfiguredHouse): Promise<Pick<RunFacts, 'past'>> {
  if (house.past === undefined) return {};
  const { request, facts } = run;
  const past = await house.past({ request, facts }).catch((): Past => ({ ...noPast, failed: true }));
  return { past };
}

/** Stores the load that this run found, in place of one that no longer fits. A failure does not fail the run. */
export async function keepLoad(
  { id, request, facts, load, replaced }: Pick<RunUnderWay, 'id' | 'request' | 'facts' | 'load' | 'replaced'>,
  { loads }: ConfiguredHouse,
): Promise<void> {
  if (load === null || ['asked', 'fixed', 'known'].includes(load.chosen)) return;
  const { users, sides } = load;
  await loads?.insert({ request, facts }, { users, sides, runId: id }, replaced).catch(() => {});
}

/** Null if there is no load, if the lookup fails, or if the request asks for a new search. */
export async function lookUpLoad(
  { request, facts }: Pick<RunUnderWay, 'request' | 'facts'>,
  { loads }: ConfiguredHouse,
): Promise<StoredLoad | null> {
  const asked = { request, facts };
  if (request.findLoad) await loads?.delete(asked).catch(() => {});
  return (await loads?.find(asked).catch(() => null)) ?? null;
}
