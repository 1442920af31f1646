import { differenceOf } from '../../shared/base/independent-estimates.ts';
import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';
import { nameSizeArm } from '../../shared/kinds/sizes/size-arm.ts';
import type { SizeFit, SizeLine } from '../../shared/kinds/sizes/size-line.ts';
import type { ArmResult, Crossover, SizesDocument } from '../../shared/kinds/sizes/sizes.ts';

/** What changed between two sweeps over sizes: the terms of each arm’s line, and the sizes from which on HTTPS adds little. */

export type LineChange = {
  arm: string;
  term: 'offset' | 'rate' | 'record' | 'crossover';
  /** Of a crossover: the overhead below which HTTPS stays. */
  percent: number | null;
  /** Null where it was not measured; in a crossover, where there is none within the sizes. */
  earlier: Estimate | null;
  later: Estimate | null;
  /** later less earlier; null unless both have an interval. */
  change: Estimate | null;
};

type Findings = Pick<SizesDocument, 'arms' | 'comparisons'>;
type What = 'latency' | 'cpu';

/** Arms that both have, by suite. */
export function lineChanges(later: Findings, earlier: Findings, what: What): LineChange[] {
  const [now, then] = [namedArms(later, what), namedArms(earlier, what)];
  return now.flatMap(({ arm, fit, crossovers }) => {
    const before = then.find((each) => each.arm === arm);
    if (before === undefined) return [];
    const [one, other] = linesOfOneForm(before.fit, fit);
    const terms = [
      changeOf({ arm, term: 'offset', percent: null }, one.offsetUs, other.offsetUs),
      changeOf({ arm, term: 'rate', percent: null }, one.bytesPerMs, other.bytesPerMs),
      ...(one.recordUs === null || other.recordUs === null
        ? []
        : [changeOf({ arm, term: 'record', percent: null }, one.recordUs, other.recordUs)]),
    ];
    const sizes = crossovers.flatMap((crossover) => {
      const { percent } = crossover;
      const found = before.crossovers.find((each) => each.percent === percent);
      if (found === undefined || (found.bytes === null && crossover.bytes === null)) return [];
      return [changeOf({ arm, term: 'crossover', percent }, bytesOf(found), bytesOf(crossover))];
    });
    return [...terms, ...sizes];
  });
}

export function isBeyondNoise({ change }: Pick<LineChange, 'change'>): boolean {
  return change !== null && (change.lo > 0 || change.hi < 0);
}

type NamedArm = { arm: string; fit: SizeFit; crossovers: readonly Crossover[] };

function namedArms({ arms, comparisons }: Findings, what: What): NamedArm[] {
  return arms.flatMap((result: ArmResult) => {
    const fit = result[what];
    const own = comparisons.find(({ arm }) => arm === result.arm);
    return fit === null ? [] : [{ arm: nameSizeArm(result), fit, crossovers: own?.[what]?.crossovers ?? [] }];
  });
}

/** The same terms mean the same in both: lines with records are compared only with their like. */
function linesOfOneForm(one: SizeFit, other: SizeFit): [SizeLine, SizeLine] {
  return one.chosen === 'records' &&
    other.chosen === 'records' &&
    one.records !== null &&
    other.records !== null
    ? [one.records, other.records]
    : [one.straight, other.straight];
}

/** Without an interval its ends are not numbers. */
function bytesOf({ bytes, interval }: Crossover): Estimate | null {
  if (bytes === null) return null;
  return { center: bytes, lo: interval?.lo ?? Number.NaN, hi: interval?.hi ?? Number.NaN };
}

function changeOf(
  which: Pick<LineChange, 'arm' | 'term' | 'percent'>,
  earlier: Estimate | null,
  later: Estimate | null,
): LineChange {
  const known = earlier !== null && later !== null ? differenceOf(later, earlier) : null;
  return {
    ...which,
    earlier,
    later,
    change: known !== null && Number.isFinite(known.lo) && Number.isFinite(known.hi) ? known : null,
  };
}
