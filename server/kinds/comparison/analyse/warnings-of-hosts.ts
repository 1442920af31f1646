import { printNumber } from '../../../../shared/base/quantity.ts';
import type { HostsUsed } from '../../../../shared/measurement/generator-host.ts';
import { saturatedIn } from '../../../../shared/words/host-words.ts';
import { mostIdleShare } from '../../../base/addresses/burst-length.ts';

/** From this ratio of round trips on, latencies come from two populations. */
const farApart = 10;

/** Why figures from several hosts may be doubtful; nothing when this machine generated the load. */
export function warningsOfHosts(used: HostsUsed | undefined): string[] {
  if (used === undefined) return [];
  const trips = used.hosts.map(({ roundTripUs }) => Math.max(1, roundTripUs));
  const apart = Math.max(...trips) / Math.min(...trips);
  const saturated = saturatedIn(used);
  return [
    ...(saturated.length === 0
      ? []
      : [`The load generator was the limit on ${saturated.join(' and ')}. Add hosts, or processes on them.`]),
    ...(apart < farApart
      ? []
      : [
          `Round trips of the hosts differ ${printNumber(apart, 0)} times, so latency under load is a mix of near and far users.`,
        ]),
    ...(used.idleShare <= mostIdleShare
      ? []
      : [`Hosts waited for each other ${printNumber(100 * used.idleShare, 0)} % of the time of all bursts.`]),
    ...(used.losses === 0
      ? []
      : [
          `A host was lost ${used.losses === 1 ? 'once' : `${used.losses} times`}; what was measured then was left out.`,
        ]),
  ];
}
