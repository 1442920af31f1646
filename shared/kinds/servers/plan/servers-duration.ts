import type { ServersCell, ServersRequest } from '../servers.ts';
import { groupCells } from './group-cells.ts';

/** Of one visit to a cell: three arms in bursts, in random order. */
export const visitMs = 900;
/**
 * Pointing the generator at the cell, opening its connections, and a burst that does not count: the mean over the preset of
 * 108 cells, up to 320 TLS connections with RSA-4096, on two cores.
 */
const pointingMs = 750;
/** Starting and ending the servers of a group. */
const serversMs = 900;

/** Seconds of one round. */
export function serversRoundS(cells: readonly ServersCell[]): number {
  return (cells.length * (visitMs + pointingMs) + groupCells(cells).length * serversMs) / 1000;
}

export function serversS({ rounds }: Pick<ServersRequest, 'rounds'>, cells: readonly ServersCell[]): number {
  return rounds * serversRoundS(cells);
}
