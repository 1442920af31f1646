import type { Check, PreflightReport } from '../../shared/preflight.ts';
import { type Side, sidesOf } from './side.ts';

/** A preflight report as two columns: each side by its name, where it was found, and its checks. */
export type CheckColumn = { side: Side; subtitle: string; checks: Check[] };

export function checkColumns({ transports, sides }: PreflightReport): [CheckColumn, CheckColumn] {
  const { http, https } = sidesOf(transports);
  return [columnOf(http, sides[0]), columnOf(https, sides[1])];
}

function columnOf(side: Side, { origin, address, checks }: PreflightReport['sides'][0]): CheckColumn {
  return { side, subtitle: address === null ? origin : `${origin} at ${address}`, checks };
}
