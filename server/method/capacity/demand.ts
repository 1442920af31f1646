import type { CapacityLoad, PartName } from '../../../shared/kinds/comparison/capacity.ts';

/**
 * What a load asks of the server in a second. A new visitor's connections are opened at once, so all of them are full. Where
 * every request has a connection of its own, only the first of a new visitor's is: the others follow it and resume its session.
 */
export function demandOf(load: CapacityLoad): Record<PartName, number> {
  const { visitsPerS, requestsPerVisit, pageBytes, returningShare, keepAlive, resumption } = load;
  const request = visitsPerS * requestsPerVisit;
  const connection = visitsPerS * connectionsOf(load);
  const fullOfVisit = keepAlive ? connectionsOf(load) : 1;
  const full = resumption ? visitsPerS * (1 - returningShare) * fullOfVisit : connection;
  return { request, connection, full, resumed: connection - full, byte: request * pageBytes };
}

/** Never more than there are requests. */
export function connectionsOf({ keepAlive, connectionsPerVisit, requestsPerVisit }: CapacityLoad): number {
  return keepAlive ? Math.min(connectionsPerVisit, requestsPerVisit) : requestsPerVisit;
}
