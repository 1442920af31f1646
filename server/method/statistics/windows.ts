import { type Arms, namesOf, writeOrder } from '../../../shared/base/arms.ts';
import type { Window, WindowOf } from '../../../shared/kinds/comparison/block.ts';
import type { OperatingPoint } from '../../../shared/kinds/comparison/load-profile.ts';
import type { Unseen } from '../../../shared/kinds/comparison/program.ts';
import { studentPValue, studentQuantile } from './distributions.ts';
import { median } from './intervals.ts';
import { meanOf, sumOf } from './mean.ts';
import { drawsOf, shuffle } from './random.ts';

/** CPU of one process in a round: while the target was loaded, and while nobody asked it anything. */
export type UseInRound = { loadedUs: number; loadedMs: number; nobodyUs: number; nobodyMs: number };

/** How much more CPU a process uses while the target is loaded: µs per ms, paired by round, with Student's t. */
type Growth = { mean: number; error: number; t: number; degrees: number };

/** Share of what the target itself uses. Less changes no figure. */
const leastShare = 0.01;
/** Smallest t for 16 rounds; with fewer, the equally unlikely value. */
const usualDegrees = 15;
const clearT = 4.5;
/** For a process that nothing ties to the target, which other work may have woken. */
const untiedT = 6;

/** A process that is at work for nobody has no growth, however busy it is. */
export function growthOf(rounds: readonly UseInRound[]): Growth {
  const growths = rounds.map(
    ({ loadedUs, loadedMs, nobodyUs, nobodyMs }) => loadedUs / loadedMs - nobodyUs / nobodyMs,
  );
  const mean = meanOf(growths);
  const variance = growths.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (growths.length - 1);
  const error = Math.sqrt(variance / growths.length);
  return { mean, error, t: mean === 0 ? 0 : mean / error, degrees: growths.length - 1 };
}

/** Share of a core. The kernel's ticks show no less. */
const leastOfTicks = 0.05;

/**
 * Whether a process works for the requests.
 * @param isByTicks its CPU is known in steps of 10 ms
 */
export function works(
  { mean, t, degrees }: Omit<Growth, 'error'>,
  target: Pick<Growth, 'mean'>,
  isTied = true,
  isByTicks = false,
): boolean {
  const least = Math.max(leastShare * target.mean, isByTicks ? leastOfTicks * usPerMs : 0);
  if (!(mean > least) || !(t > 0)) return false;
  const needed = isTied ? clearT : untiedT;
  return t === Number.POSITIVE_INFINITY || studentPValue(t, degrees) < studentPValue(needed, usualDegrees);
}

/** Smallest share of the target's CPU. With less, the percentage is about right. */
export const leastUnseen = 0.1;
const fullMachine = 0.9;

/**
 * CPU that grows with the requests although no visible process used it. If that is uncertain, the machine's busy time that no visible process
 * accounts for, unless its growth can be excluded.
 * @param uses CPU that no process accounts for
 * @param busy share of the machine that was busy while the target was loaded
 */
export function judgeUnseen(
  uses: readonly UseInRound[],
  target: readonly UseInRound[],
  busy: number,
): Unseen | null {
  const [growth, { mean: targetMean }] = [growthOf(uses), growthOf(target)];
  const large = leastUnseen * targetMean;
  if (growth.mean > large && works(growth, { mean: targetMean }))
    return { cores: growth.mean / usPerMs, share: growth.mean / targetMean };
  const loaded = meanOf(uses.map(({ loadedUs, loadedMs }) => loadedUs / loadedMs));
  // On a full machine, the requests displace other work, which hides what grows with them.
  const mayBe =
    busy > fullMachine
      ? loaded
      : Math.min(loaded, growth.mean + studentQuantile(0.95, growth.degrees) * growth.error);
  return mayBe < large ? null : { cores: loaded / usPerMs, share: null };
}

const usPerMs = 1000;

/** Share of the whole machine above that in the block's median second. */
const mostAboveUsual = 0.1;
/** A shorter window is judged together with the next ones, because the kernel reports a machine's use in steps of 10 ms. */
const judgedMs = 750;

/**
 * The windows of a block. A window is set aside if the hypervisor, other programs, and TLS Toll together took a tenth of the machine
 * more in its second than in the block's median second. Only the machine decides, so all arms are treated the same. At most half of
 * the seconds are set aside. A second in which the machine could not be read is kept.
 */
export function setAside<Each extends Stretch>(windows: readonly Each[]): (Each & { aside: boolean })[] {
  const seconds = secondsOf(windows);
  const known = seconds.map(disturbanceOf).filter((each) => each !== null);
  const most = known.length === 0 ? Number.POSITIVE_INFINITY : median(known) + mostAboveUsual;
  return seconds.flatMap((second) => {
    const aside = (disturbanceOf(second) ?? 0) > most;
    return second.map((window) => ({ ...window, aside }));
  });
}

type Stretch = Pick<Window, 'elapsedMs' | 'stealRatio' | 'foreignRatio' | 'oursRatio'>;

/** Windows left over at the end belong to the last second. */
function secondsOf<Each extends Stretch>(windows: readonly Each[]): Each[][] {
  const seconds: Each[][] = [];
  let elapsedMs = judgedMs;
  for (const window of windows) {
    if (elapsedMs >= judgedMs) {
      seconds.push([]);
      elapsedMs = 0;
    }
    seconds.at(-1)?.push(window);
    elapsedMs += window.elapsedMs;
  }
  const rest = elapsedMs < judgedMs && seconds.length > 1 ? (seconds.pop() ?? []) : [];
  seconds.at(-1)?.push(...rest);
  return seconds;
}

function disturbanceOf(second: readonly Stretch[]): number | null {
  const known = second.filter(({ stealRatio, foreignRatio }) => stealRatio !== null || foreignRatio !== null);
  if (known.length === 0) return null;
  const takenMs = known.map(
    ({ elapsedMs, stealRatio, foreignRatio, oursRatio = 0 }) =>
      elapsedMs * ((stealRatio ?? 0) + (foreignRatio ?? 0) + oursRatio),
  );
  return sumOf(takenMs) / sumOf(known.map(({ elapsedMs }) => elapsedMs));
}

type Failing = Pick<WindowOf<string>, 'failed'>;
type Judged = Failing & Pick<WindowOf<string>, 'elapsedMs' | 'stealRatio' | 'foreignRatio' | 'aside'>;

/**
 * The windows of a block. Those are set aside in which something failed, such as during a reload of the server, as long as they are few: of
 * such a round, no arm counts. Of the others, those in which the machine was disturbed.
 */
export function judgeWindows<Each extends Judged>(windows: readonly Each[]): Each[] {
  const isOut = (window: Each) => hasFailed(window) && canDoWithout(windows);
  const judged = setAside(windows.filter((window) => !isOut(window))).values();
  return windows.map((window) =>
    isOut(window) ? { ...window, aside: true } : (judged.next().value ?? window),
  );
}

/** Whether failures of a block are all in windows that are set aside. Of most of its windows it cannot be said: there it is the target that fails. */
export function canDoWithout(windows: readonly Failing[]): boolean {
  const failed = windows.filter(hasFailed).length;
  return failed > 0 && failed <= windows.length / 2;
}

/** Sentence about windows that were set aside for failures in the blocks that count; null without any. */
export function warningOfFailures(
  blocks: readonly { windows: readonly (Failing & { aside: boolean })[] }[],
): string | null {
  const windows = blocks.flatMap((block) => block.windows);
  const failed = windows.filter((window) => window.aside && hasFailed(window)).length;
  return failed === 0
    ? null
    : `Requests failed in ${failed} of ${windows.length} readings, which were discarded for all sides.`;
}

function hasFailed({ failed }: Failing): boolean {
  return failed !== undefined;
}

/** The order of the slots: each letter stands for an arm. */
type BlockOrder = { index: number; kind: OperatingPoint; order: string };

const points: readonly OperatingPoint[] = ['steady', 'maximum'];

/**
 * The blocks of a run. They come in pairs of one steady and one maximum block, which of them first is drawn, so a run
 * that ends early has as many of one as of the other. Each block visits the arms in a drawn order and then in its
 * mirror: a linear drift cancels within the block, and a disturbance with a period cannot keep step with it.
 */
export function planBlocks(arms: Arms<string>, seed: number, blocksPerPoint: number): BlockOrder[] {
  const blocks: BlockOrder[] = [];
  const draw = drawsOf(seed);
  for (let pair = 0; pair < blocksPerPoint; pair++) {
    for (const kind of shuffle(points, draw)) {
      const drawn = shuffle(namesOf(arms), draw);
      blocks.push({
        index: blocks.length,
        kind,
        order: writeOrder(arms, [...drawn, ...drawn.toReversed()]),
      });
    }
  }
  return blocks;
}
