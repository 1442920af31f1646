import type { Check, PreflightReport, PreflightSide } from '../../shared/target/preflight.ts';
import { type Side, sidesOf } from './side.ts';
import { withoutOptions } from './without-options.ts';

/** A preflight report as two columns: each side by its name, where it was found, and its checks. */
export type CheckColumn = { side: Side; subtitle: string; checks: Check[] };

export function checkColumns({ sides }: PreflightReport): [CheckColumn, CheckColumn] {
  const { baseline, comparison } = sidesOf(sides);
  return [columnOf(baseline, sides.baseline), columnOf(comparison, sides.comparison)];
}

function columnOf(side: Side, { origin, address, checks }: PreflightSide): CheckColumn {
  return {
    side,
    subtitle: address === null ? origin : `${origin} at ${address}`,
    checks: checks.map((check) => ({ ...check, message: withoutOptions(check.message) })),
  };
}
