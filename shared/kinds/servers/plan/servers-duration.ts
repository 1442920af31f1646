import type { Phase } from '../../../measurement/estimate-progress.ts';
import type { ServersCell, ServersRequest } from '../servers.ts';
import { groupCells } from './group-cells.ts';

/** Of one visit to a cell: three arms in bursts, in random order. */
export const visitMs = 900;
/**
 * Pointing the generator at the cell, opening its connections, and a burst that does not count: the mean over the preset of
 * 108 cells, up to 320 TLS connections with RSA-4096, on two cores.
 */
export const pointingMs = 750;
/** Starting and ending the servers of a group. */
const serversMs = 900;

/** Seconds of one round. */
export function serversRoundS(cells: readonly ServersCell[]): number {
  return (cells.length * (visitMs + pointingMs) + groupCells(cells).length * serversMs) / 1000;
}

export function serversPhases(
  { rounds }: Pick<ServersRequest, 'rounds'>,
  cells: readonly ServersCell[],
  visitsBefore: number,
): Phase<'measuring'>[] {
  const visits = rounds * cells.length;
  const left = visits === 0 ? 0 : Math.max(0, visits - visitsBefore) / visits;
  return [{ name: 'measuring', seconds: left * serversS({ rounds }, cells), steps: cells.length, rounds }];
}

export function serversS({ rounds }: Pick<ServersRequest, 'rounds'>, cells: readonly ServersCell[]): number {
  return rounds * serversRoundS(cells);
}
