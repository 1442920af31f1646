import type { Estimate } from '../../../shared/base/units.ts';
import { studentQuantile } from './distributions.ts';
import { meanOf, sumOf } from './mean.ts';

/** A window of which each arm had one turn. */
export type OrderedWindow<Name extends string> = {
  launch: number;
  /** The arm whose turn came just before the first; null where there was a pause, or it is not known. */
  before: Name | null;
  /** The arms in the order of their turns. */
  order: readonly Name[];
  /** Logarithm of an arm's cost in its turn, such as of CPU per transaction. */
  logCost: Partial<Record<Name, number>>;
};

/** How the order of the arms moves the log ratio of comparison ÷ baseline; to add to it, for sides that run by themselves. */
type OrderEffect = Estimate & {
  /** How a turn of a baseline arm gets dearer after one of the comparison, on the logarithm. */
  onBaseline: number;
  /** The same of a turn of the comparison; null where it hardly ever follows itself, and `onBaseline` stands in. */
  onComparison: number | null;
  /** Standard error of the center. */
  error: number;
  degrees: number;
};

/** Turns of an arm in either position, from which on the position's effect is estimated. */
const fewestTurns = 6;

/**
 * Carry-over on a shared tree: what an arm leaves behind (closing connections, garbage) is paid in the turn after it. The log
 * cost of a turn is taken as window + arm (of this launch) + an effect of coming after the comparison rather than after a
 * baseline arm, one for the baseline arms and one for the comparison; least squares, orders drawn at random. From it follows
 * what the ratio would be with each side always after itself: the comparison's cost gains its effect where it now follows
 * a baseline arm, the baseline's loses its own where it now follows the comparison.
 *
 * Windows without a known predecessor or without the cost of every arm take no part. Null when nothing varies in order, or too few
 * windows are left. Independent errors of turns are assumed.
 * Source: Jones and Kenward, Design and Analysis of Cross-Over Trials, section 5 (first-order carry-over).
 * @param comparison the arm whose carry-over it is; all others are baseline arms
 */
export function orderEffectOf<Name extends string>(
  windows: readonly OrderedWindow<Name>[],
  comparison: Name,
): OrderEffect | null {
  const usable = windows.filter(isComplete);
  const turns = usable.flatMap((each, window) => turnsOf(each, window, comparison));
  const plain = turns.filter(({ isOwn }) => !isOwn);
  const own = turns.filter(({ isOwn }) => isOwn);
  if (!canTell(plain)) return null;
  const hasOwn = canTell(own);
  const [shareOfPlain, shareOfOwn] = [shareAfter(plain), shareAfter(own)];
  const effectOf = (isOf: (turn: Turn) => boolean) => (turn: Turn) => (isOf(turn) ? turn.after : 0);
  const columns = hasOwn
    ? [effectOf(({ isOwn }) => !isOwn), effectOf(({ isOwn }) => isOwn)]
    : [effectOf(() => true)];
  const fit = fitTurns(turns, columns);
  if (fit === null) return null;
  const weights = hasOwn ? [shareOfPlain, 1 - shareOfOwn] : [shareOfPlain + 1 - shareOfOwn];
  const [onBaseline = 0, onComparison = null] = fit.effects;
  const center = sumOf(weights.map((weight, index) => weight * (fit.effects[index] ?? 0)));
  const error = Math.sqrt(fit.varianceOf(weights));
  const reach = studentQuantile(0.95, fit.degrees) * error;
  const effects = { onBaseline, onComparison };
  return { center, lo: center - reach, hi: center + reach, ...effects, error, degrees: fit.degrees };
}

/** At 95 %, one run in ten would be widened for one of its two metrics by sheer chance, and by much. */
const certainty = 0.99;

type Carried = Pick<OrderEffect, 'center' | 'error' | 'degrees'>;

/**
 * Widening of the estimate, to each side, for carry-over: half the effect if its 99 % interval excludes 0, else 0. Effects of several
 * blocks are weighted by 1 ÷ their error².
 */
export function carryOverWidening(effects: readonly Carried[]): number {
  const known = effects.filter(({ error, degrees }) => error > 0 && degrees > 0);
  if (known.length === 0) return 0;
  const weights = known.map(({ error }) => 1 / error ** 2);
  const total = sumOf(weights);
  const center = sumOf(known.map((each, index) => each.center * (weights[index] ?? 0))) / total;
  const reach = studentQuantile(certainty, sumOf(known.map(({ degrees }) => degrees))) / Math.sqrt(total);
  return Math.abs(center) > reach ? Math.abs(center) / 2 : 0;
}

type Turn = {
  window: number;
  launch: number;
  arm: string;
  /** Whether it is a turn of the comparison. */
  isOwn: boolean;
  /** 1 after the comparison, else 0. */
  after: number;
  logCost: number;
};

function isComplete<Name extends string>({ before, order, logCost }: OrderedWindow<Name>): boolean {
  return before !== null && order.length >= 2 && order.every((arm) => Number.isFinite(logCost[arm]));
}

function turnsOf<Name extends string>(
  { launch, before, order, logCost }: OrderedWindow<Name>,
  window: number,
  comparison: Name,
): Turn[] {
  return order.map((arm, place) => {
    const previous = place === 0 ? before : order[place - 1];
    const after = previous === comparison ? 1 : 0;
    return { window, launch, arm, isOwn: arm === comparison, after, logCost: logCost[arm] ?? 0 };
  });
}

function shareAfter(turns: readonly Turn[]): number {
  return meanOf(turns.map(({ after }) => after));
}

function canTell(turns: readonly Turn[]): boolean {
  const after = turns.filter((turn) => turn.after === 1).length;
  return Math.min(after, turns.length - after) >= fewestTurns;
}

type Fit = {
  effects: number[];
  degrees: number;
  /** Variance of a weighted sum of the effects. */
  varianceOf(weights: readonly number[]): number;
};

/** Smallest share of a column that the other columns, windows and arms must leave unexplained: a fixed order leaves nothing. */
const leastOwn = 1e-6;

/** Every window of a launch has the same arms, so windows and arms are taken out by their means. */
function fitTurns(turns: readonly Turn[], columns: readonly ((turn: Turn) => number)[]): Fit | null {
  const y = withoutMeans(turns, ({ logCost }) => logCost);
  const xs = columns.map((column) => withoutMeans(turns, column));
  const isFixed = xs.some(
    (x, index) => dot(x, x) < leastOwn * sumOf(turns.map((turn) => columns[index]?.(turn) ?? 0)),
  );
  const inverse = isFixed ? null : inverseOf(xs.map((one) => xs.map((other) => dot(one, other))));
  const windows = new Set(turns.map(({ window }) => window)).size;
  const launches = new Set(turns.map(({ launch }) => launch)).size;
  const armsOfLaunches = new Set(turns.map(({ launch, arm }) => `${launch} ${arm}`)).size;
  const degrees = turns.length - windows - (armsOfLaunches - launches) - xs.length;
  if (inverse === null || degrees < 1) return null;
  const products = xs.map((x) => dot(x, y));
  const effects = inverse.map((row) => dot(row, products));
  const left = y.map(
    (value, row) => value - sumOf(xs.map((x, index) => (x[row] ?? 0) * (effects[index] ?? 0))),
  );
  const variance = dot(left, left) / degrees;
  const varianceOf = (weights: readonly number[]) =>
    variance *
    dot(
      weights,
      inverse.map((row) => dot(row, weights)),
    );
  return { effects, degrees, varianceOf };
}

function withoutMeans(turns: readonly Turn[], read: (turn: Turn) => number): number[] {
  const meansBy = (key: (turn: Turn) => string | number) => {
    const groups = Map.groupBy(turns, key);
    const means = new Map([...groups].map(([of, members]) => [of, meanOf(members.map(read))]));
    return (turn: Turn) => means.get(key(turn)) ?? 0;
  };
  const ofWindow = meansBy(({ window }) => window);
  const ofArm = meansBy(({ launch, arm }) => `${launch} ${arm}`);
  const ofLaunch = meansBy(({ launch }) => launch);
  return turns.map((turn) => read(turn) - ofWindow(turn) - ofArm(turn) + ofLaunch(turn));
}

/** Inverse of a matrix of one or two rows; null if it has none. */
function inverseOf(matrix: readonly (readonly number[])[]): number[][] | null {
  const [[a = 0, b = 0] = [], [, d = 1] = []] = matrix;
  const determinant = a * d - b * b;
  if (!(determinant > leastOwn * a * d)) return null;
  if (matrix.length === 1) return [[1 / a]];
  return [
    [d / determinant, -b / determinant],
    [-b / determinant, a / determinant],
  ];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
