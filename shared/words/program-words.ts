import { printDifference, printQuantity, printSigned, scaleFor } from '../base/quantity.ts';
import type { Estimate } from '../kinds/comparison/comparison.ts';
import type { Program, ProgramCost, Tie } from '../kinds/comparison/program.ts';
import type { RunDocument } from '../kinds/comparison/run.ts';

/**
 * The part of each program in the difference: `in nginx +25 µs (24 to 26), in node behind it −2 µs (−9 to +5)`. Null where the target works
 * alone.
 */
export function programsInWords({ cpuOf }: Pick<RunDocument, 'cpuOf'>): string | null {
  if (cpuOf === undefined) return null;
  return cpuOf.map((program) => `in ${nameInSentence(program)} ${differenceOf(program.delta)}`).join(', ');
}

function nameInSentence({ name, role, tie }: Pick<Program, 'name' | 'role' | 'tie'>): string {
  if (role === 'target') return name;
  return tie === null || tie === 'cgroup' ? `${name} beside it` : `${name} behind it`;
}

function differenceOf({ center, lo, hi }: Estimate): string {
  const scale = scaleFor('us', [center, lo, hi], [(hi - lo) / 2]);
  const ends = [lo, hi].map((end) => {
    const isSigned = lo < 0 || hi < 0;
    return isSigned ? printSigned(end, scale) : printQuantity(end, { ...scale, symbol: '' }).trim();
  });
  return `${printDifference(center, scale)} (${ends.join(' to ')})`;
}

const ties: Record<Tie, string> = {
  connection: 'a connection',
  'unix-socket': 'a Unix socket',
  port: 'the same port',
  cgroup: 'the same control group',
};

/** How a program is connected to the target, in a cell of a table. */
export function tieInWords({ role, tie }: Pick<ProgramCost, 'role' | 'tie'>): string {
  if (role === 'target') return 'the target';
  return tie === null ? 'its CPU alone' : ties[tie];
}
