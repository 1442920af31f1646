import type { Unseen } from '../../../shared/kinds/comparison/program.ts';
import { meanOf } from './mean.ts';
import { studentPValue, studentQuantile } from './student-t.ts';

/** CPU of one process in a round: while the target was loaded, and while nobody asked it anything. */
export type UseInRound = { loadedUs: number; loadedMs: number; nobodyUs: number; nobodyMs: number };

/** How much more CPU a process uses while the target is loaded: µs per ms, paired by round, with Student's t. */
type Growth = { mean: number; error: number; t: number; degrees: number };

/** Share of what the target itself uses. Less changes no figure. */
const leastShare = 0.01;
/** Smallest t of 16 rounds; with fewer, the value that is as unlikely. */
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

/**
 * CPU that grows with the requests although no process that can be seen has used it. Without certainty, how much of the machine is busy with
 * what cannot be seen, unless that it grows is excluded.
 * @param uses of what no process accounts for
 */
export function judgeUnseen(uses: readonly UseInRound[], target: readonly UseInRound[]): Unseen | null {
  const [growth, { mean: targetMean }] = [growthOf(uses), growthOf(target)];
  const large = leastUnseen * targetMean;
  if (growth.mean > large && works(growth, { mean: targetMean }))
    return { cores: growth.mean / usPerMs, share: growth.mean / targetMean };
  const loaded = meanOf(uses.map(({ loadedUs, loadedMs }) => loadedUs / loadedMs));
  const mayBe = Math.min(loaded, growth.mean + studentQuantile(0.95, growth.degrees) * growth.error);
  return mayBe < large ? null : { cores: loaded / usPerMs, share: null };
}

const usPerMs = 1000;
