import type { Left } from './jackknife.ts';

/** Times of one arm in µs: what every round measured at every size. */
export type SizeTable = {
  /** Bytes, ascending. */
  sizes: readonly number[];
  /** By round, then size; all above zero. */
  us: readonly (readonly number[])[];
  /** Transactions behind each mean, by round, then size; null where the times are medians. */
  weights: readonly (readonly number[])[] | null;
};

/**
 * One time a size from all rounds but one: the geometric mean of medians, or of means that of all transactions together (a
 * ratio of sums, which keeps garbage collection in). Both are smooth in the rounds, as the jackknife needs.
 */
export function poolOf({ sizes, us, weights }: SizeTable): (left: Left) => number[] {
  const own = us.map((round, index) =>
    weights === null
      ? round.map((time) => ({ value: Math.log(time), weight: 1 }))
      : round.map((time, size) => {
          const weight = weights[index]?.[size] ?? Number.NaN;
          return { value: time * weight, weight };
        }),
  );
  const nothing = { value: 0, weight: 0 };
  const sums = sizes.map((_, size) =>
    own.reduce((sum, round) => {
      const { value, weight } = round[size] ?? nothing;
      return { value: sum.value + value, weight: sum.weight + weight };
    }, nothing),
  );
  return (left) =>
    sums.map((sum, size) => {
      const { value, weight } = (left === null ? null : own[left]?.[size]) ?? nothing;
      const mean = (sum.value - value) / (sum.weight - weight);
      return weights === null ? Math.exp(mean) : mean;
    });
}

/** The same rounds with the sizes that are wanted alone. */
export function selectSizes({ sizes, us, weights }: SizeTable, wanted: (size: number) => boolean): SizeTable {
  const only = (row: readonly number[]) => row.filter((_, index) => wanted(sizes[index] ?? 0));
  return { sizes: only(sizes), us: us.map(only), weights: weights?.map(only) ?? null };
}
