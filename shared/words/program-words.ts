import { printDifference, printQuantity, printSigned, scaleFor } from '../base/quantity.ts';
import { type BySide, bySide, type KnownSide, labelsOf, sideNames } from '../base/transport.ts';
import type { Estimate } from '../kinds/comparison/comparison.ts';
import type { Program, ProgramCost, Tie } from '../kinds/comparison/program.ts';
import type { RunDocument } from '../kinds/comparison/run.ts';

/**
 * The part of each program in the difference: `in nginx +25 µs (24 to 26), in node behind it −2 µs (−9 to +5)`. Where the sides go through
 * different programs, these come first, and where they have none in common, they are all. Null where the target works alone.
 */
export function programsInWords({ cpuOf, sides }: Pick<RunDocument, 'cpuOf' | 'sides'>): string | null {
  if (cpuOf === undefined) return null;
  const chains = chainsOf(cpuOf);
  const labels = labelsOf(sides);
  const through =
    chains === null
      ? []
      : [sideNames.map((side) => `${labels[side]} goes through ${listOf(chains[side])}`).join(', ')];
  const isShared = chains === null || chains.baseline.some((name) => chains.comparison.includes(name));
  const parts = isShared ? inSum(cpuOf).map((each) => `in ${nameInSentence(each)} ${partOf(each)}`) : [];
  return [...through, ...(parts.length === 0 ? [] : [parts.join(', ')])].join('; ');
}

function inSum(cpuOf: readonly ProgramCost[]): readonly ProgramCost[] {
  return cpuOf.filter(({ role }) => role !== 'kernel');
}

/** Late work belongs to no side. */
function partOf({ delta, baseline, lateUs }: ProgramCost): string {
  if (lateUs === undefined) return differenceOf(delta);
  const scale = scaleFor('us', [baseline.center]);
  return `${printQuantity(baseline.center, scale)} on either side, because it works after the requests (±${printQuantity(lateUs / 2, scale)})`;
}

/** Sides as a verdict calls them, where they go through different programs: `nginx alone` and `HTTPS through hitch`. */
export function namedByChain(
  sides: BySide<KnownSide>,
  cpuOf: readonly ProgramCost[] | undefined,
): BySide<KnownSide> {
  const chains = cpuOf === undefined ? null : chainsOf(cpuOf);
  if (chains === null || sideNames.some((side) => sides[side].name !== undefined)) return sides;
  const labels = labelsOf(sides);
  return bySide((side) => {
    const [first = '', ...more] = chains[side];
    const isAlone = side === 'baseline' && more.length === 0;
    return { ...sides[side], name: isAlone ? `${first} alone` : `${labels[side]} through ${first}` };
  });
}

/** Below it a program is not on a side's way: it rests there, and its clock hardly moves. */
const leastShare = 0.01;

/** Names of the programs that work for each side, the one that its requests come to first; null where both sides have the same. */
function chainsOf(all: readonly ProgramCost[]): BySide<string[]> | null {
  const cpuOf = inSum(all);
  const chains = bySide((side) => {
    const whole = cpuOf.reduce((sum, program) => sum + program[side].center, 0);
    const takes = (program: ProgramCost) => program.sides?.includes(side) === true;
    const working = cpuOf.filter((each) => takes(each) || each[side].center > leastShare * whole);
    return [...new Set([...working.filter(takes), ...working].map(({ name }) => name))];
  });
  const areAlike = chains.baseline.join() === chains.comparison.join();
  return areAlike || cpuOf.every((program) => program.sides === undefined) ? null : chains;
}

/** `nginx alone`, `hitch and nginx`, `hitch, nginx, and node`. */
function listOf(names: readonly string[]): string {
  const [first = '', second] = names;
  if (second === undefined) return `${first} alone`;
  return names.length === 2
    ? `${first} and ${second}`
    : `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`;
}

/** Programs that ended while they were measured, each in a sentence. */
export function endedInWords(programs: readonly Program[] = []): string[] {
  return programs
    .filter(({ ended }) => ended === true)
    .map(
      ({ name }) =>
        `${name}, which works for the requests, ended or was started again while it was measured, and what came after it is not counted. Keep it running, and repeat the run.`,
    );
}

function nameInSentence({ name, role, tie, part }: Program): string {
  if (part === 'server') return `${name}, the server,`;
  if (part === 'forwarder') return `${name}, a forwarder,`;
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
export function tieInWords({ role, tie, part }: Pick<Program, 'role' | 'tie' | 'part'>): string {
  if (role === 'kernel') return 'not in the sum';
  const found = role === 'target' ? 'the target' : tie === null ? 'its CPU alone' : ties[tie];
  if (part === undefined) return found;
  return `${found}, ${part === 'server' ? 'the server' : 'a forwarder'}`;
}
