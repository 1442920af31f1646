import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import { noPast, type Past } from '../../../../shared/kinds/comparison/past.ts';
import type { RunFacts } from '../../../../shared/kinds/comparison/run.ts';
import type { ConfiguredHouse } from '../../house.ts';
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

/** Null where there is none, or none can be looked up: it is then searched for. */
export async function lookUpLoad(
  { request, facts }: Pick<RunUnderWay, 'request' | 'facts'>,
  house: ConfiguredHouse,
): Promise<AtLoad | null> {
  return (await house.usualLoad?.({ request, facts }).catch(() => null)) ?? null;
}
