import { problem } from '../../../../shared/base/problem.ts';
import { bySide, sideNames } from '../../../../shared/base/transport.ts';
import { lengths, longestPauseMs } from '../../../../shared/kinds/comparison/load-names.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { RunFacts } from '../../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import { serversOfSides } from '../../../../shared/kinds/comparison/servers-of-sides.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import type { ConfiguredHouse, EarlierRun } from '../../house.ts';

/**
 * A run that continues another takes in its blocks and adds launches, or epochs of a process that is the same. It was looked at for its
 * value, so its intervals are at 99 %.
 */

/** The run to continue. Throws not_continuable if this machine or the pause rules it out, and run_not_found. */
export async function findEarlier(id: string, house: ConfiguredHouse, now: number): Promise<EarlierRun> {
  if (house.earlier === undefined)
    throw problem('not_continuable', 'This runner cannot read the earlier run.');
  const earlier = await house.earlier(id);
  const { before, here } = earlier.environments;
  if (before.machine === undefined || before.machine !== here.machine)
    throw refusal('It was measured on another machine, or this machine has been restarted.');
  if ((['kernel', 'node', 'openssl', 'cores'] as const).some((name) => before[name] !== here[name]))
    throw refusal('The software of this machine has changed since.');
  if (now - earlier.endedAt > longestPauseMs) throw refusal('It ended more than 15 minutes ago.');
  return earlier;
}

function refusal(why: string) {
  return problem('not_continuable', why);
}

/** The plan of the earlier run with the time to go on. */
export function planContinued(
  earlier: Plan,
  request: Pick<RunRequest, 'target' | 'length' | 'atMostS'>,
): Plan {
  const launches = factsOf(request.target).startedHere ? { minimum: 1, maximum: 50 } : earlier.launches;
  return { ...earlier, launches, longestS: request.atMostS ?? lengths[request.length].continuesS };
}

/** Why blocks of the earlier run and of this one must not be together, in a sentence; null if they may. */
export function whyNotContinued(
  before: RunFacts,
  now: RunFacts,
  pids: { before: readonly (number | null)[]; now: readonly (number | null)[] },
): string | null {
  const tls = ({ preflight }: RunFacts) =>
    JSON.stringify(bySide((side) => preflight?.sides[side].tls ?? null));
  const servers = (facts: RunFacts) => {
    const of = serversOfSides(facts);
    return JSON.stringify(
      sideNames.map((side) => [of[side]?.title, of[side]?.version, of[side]?.tlsLibrary]),
    );
  };
  if (before.atLoad === undefined) return 'the earlier run found no load';
  if (tls(before) !== tls(now)) return 'TLS is negotiated differently now';
  if (servers(before) !== servers(now)) return 'the server is another version now';
  if (JSON.stringify(pids.before) !== JSON.stringify(pids.now)) return 'the target has been restarted since';
  return null;
}
