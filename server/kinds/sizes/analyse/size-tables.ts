import { printNumber } from '../../../../shared/base/quantity.ts';
import type { RoundPoint, SizeArm, SizeRound, SizesDocument } from '../../../../shared/kinds/sizes/sizes.ts';
import { meanOf } from '../../../method/statistics/mean.ts';
import type { SizeTable } from '../../../method/statistics/size-table.ts';

/** One for each arm, in the order of the arms, all with the same sizes and rounds. */
type SizeTables = {
  latency: SizeTable[];
  /** Null where some arm has no reading of it at two sizes. */
  cpu: SizeTable[] | null;
  leftOut: SizesDocument['leftOut'];
};

/** Of the link's speed. Headers of TCP, IP and Ethernet take a twentieth, the round trip before the answer some more. */
const cappedShare = 0.8;

/** What lines are fitted to: sizes that every round has for every arm, and that the link does not limit. */
export function sizeTablesOf(
  arms: readonly SizeArm[],
  sizes: readonly number[],
  rounds: readonly SizeRound[],
  linkBytesPerS: number | null,
): SizeTables {
  const measured = rounds.flatMap(({ points }) => points).filter(isMeasured);
  const byArm = new Map(
    [...Map.groupBy(measured, ({ arm }) => arm)].map(([arm, points]) => [
      arm,
      Map.groupBy(points, ({ size }) => size),
    ]),
  );
  const pointsOf = (arm: SizeArm, size: number) => byArm.get(arm)?.get(size) ?? [];
  const leftOut = sizes.flatMap((size) => {
    const missing = Math.max(...arms.map((arm) => rounds.length - pointsOf(arm, size).length));
    const reason =
      missing > 0
        ? `${missing} of ${rounds.length} rounds have no figure for it.`
        : capOf(
            arms.flatMap((arm) => pointsOf(arm, size)),
            linkBytesPerS,
          );
    return reason === null ? [] : [{ size, reason }];
  });
  const kept = sizes.filter((size) => leftOut.every((left) => left.size !== size));
  const tablesOf = (of: readonly number[], read: (point: RoundPoint) => number, weighted: boolean) =>
    arms.map((arm) => {
      const byRound = of.map((size) => pointsOf(arm, size));
      const table = (value: (point: RoundPoint) => number) =>
        rounds.map((_, round) => byRound.map((points) => value(points[round] as RoundPoint)));
      return {
        sizes: of,
        us: table(read),
        weights: weighted ? table(({ atLoad }) => atLoad.transactions) : null,
      };
    });
  const withCpu = kept.filter((size) =>
    arms.every((arm) => pointsOf(arm, size).every(({ cpuUs }) => cpuUs !== null && cpuUs > 0)),
  );
  return {
    latency: tablesOf(kept, ({ medianUs }) => medianUs, false),
    cpu: withCpu.length < 2 ? null : tablesOf(withCpu, ({ cpuUs }) => cpuUs ?? Number.NaN, true),
    leftOut,
  };
}

function isMeasured({ transactions, medianUs }: RoundPoint): boolean {
  return transactions > 0 && medianUs > 0;
}

function capOf(points: readonly RoundPoint[], linkBytesPerS: number | null): string | null {
  if (linkBytesPerS === null || points.length === 0) return null;
  const byArm = Map.groupBy(points, ({ arm }) => arm);
  const shares = [...byArm.values()].map((of) =>
    meanOf(of.map(({ size, medianUs }) => (1e6 * size) / medianUs / linkBytesPerS)),
  );
  const most = Math.max(...shares);
  return most < cappedShare
    ? null
    : `The link is the limit: documents use ${printNumber(100 * most, 0)} % of its ${printNumber(linkBytesPerS / 1e6, 1)} MB/s.`;
}
