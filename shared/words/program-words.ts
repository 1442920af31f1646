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
  return cpuOf
    .filter(({ role }) => role !== 'kernel')
    .map((program) => `in ${nameInSentence(program)} ${partOf(program)}`)
    .join(', ');
}

/** Late work belongs to no side. */
function partOf({ delta, baseline, lateUs }: ProgramCost): string {
  if (lateUs === undefined) return differenceOf(delta);
  const scale = scaleFor('us', [baseline.center]);
  return `${printQuantity(baseline.center, scale)} on either side, because it works after the requests (±${printQuantity(lateUs / 2, scale)})`;
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

/** Sentences on what the figures of programs leave open; empty where they leave nothing. */
export function doubtsOfPrograms({ cpuOf = [] }: Pick<RunDocument, 'cpuOf'>): string[] {
  return cpuOf.flatMap(({ name, role, children, lateUs }) => [
    ...(lateUs === undefined
      ? []
      : [
          `The program ${name} works after the requests, when the other side may have its turn. Its cost is divided evenly between the sides.`,
        ]),
    ...(children === undefined
      ? []
      : [`The program ${name} starts processes that end with the request. ${ofChildren[children]}`]),
    ...(role === 'kernel'
      ? ['The kernel’s own threads (ksoftirqd, kworker) work for all programs. They are in no sum.']
      : []),
  ]);
}

const ofChildren = {
  cgroup: 'Their CPU is that of its control group.',
  ticks: 'Their CPU is known in steps of 10 ms, from the process that waits for them.',
  lost: 'Some of their CPU is not counted, because no process waits for them.',
} as const;

/** How a program is connected to the target, in a cell of a table. */
export function tieInWords({ role, tie }: Pick<ProgramCost, 'role' | 'tie'>): string {
  if (role === 'target') return 'the target';
  if (role === 'kernel') return 'not in the sum';
  return tie === null ? 'its CPU alone' : ties[tie];
}
