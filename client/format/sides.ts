import { looksOf, type SideLooks, sideColors } from '../../shared/base/side-looks.ts';
import { type BySide, bySide, type KnownSide, labelsOf, type SideName } from '../../shared/base/transport.ts';
import type { Check, PreflightReport, PreflightSide } from '../../shared/target/preflight.ts';

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

/** How one column of a comparison is called and drawn, the same everywhere. */
export type Side = Pick<SideLooks, 'marker' | 'dashed'> & { key: SideName; label: string; color: string };

export type Sides = BySide<Side>;

export function sidesOf(sides: BySide<KnownSide>): Sides {
  const labels = labelsOf(sides);
  const looks = looksOf(sides);
  return bySide((key) => {
    const { tone, marker, dashed } = looks[key];
    return { key, label: labels[key], color: sideColors[tone], marker, dashed };
  });
}

/** A sentence without the options of the command line in it, for a page that has a button or a field for each: ` (--ca)`. */
export function withoutOptions(sentence: string): string {
  return sentence.replace(/ \(--[^()]*\)/g, '');
}
