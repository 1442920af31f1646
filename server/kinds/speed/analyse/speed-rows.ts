import type {
  PrimitiveGroup,
  SpeedOperation,
  SpeedReference,
  SpeedRow,
} from '../../../../shared/kinds/speed/speed.ts';
import { comparePaired } from '../../../method/statistics/compare-paired.ts';
import { scaled } from '../../../method/statistics/estimates.ts';
import { medianInterval } from '../../../method/statistics/median-interval.ts';

/** What was measured of one row, round by round; in microseconds of CPU a call, null where a round has none. */
export type RowTimes = {
  primitive: string;
  group: PrimitiveGroup;
  operation: SpeedOperation;
  bytes: number | null;
  nodeUs: readonly (number | null)[];
  opensslUs: readonly (number | null)[];
  /** Why `openssl speed` has nothing to hold against it. */
  missing: string;
  sumOf: readonly string[] | null;
};

/** Without its explanation. Null when it was not measured. */
export function speedRow(times: RowTimes): SpeedRow | null {
  const operationsPerS = medianInterval(ratesOf(times.nodeUs));
  if (operationsPerS === null) return null;
  const { primitive, group, operation, bytes, sumOf } = times;
  return {
    id: rowId(times),
    primitive,
    group,
    operation,
    bytes,
    operationsPerS,
    bytesPerS: bytes === null ? null : scaled(operationsPerS, bytes),
    openssl: referenceOf(times),
    sumOf: sumOf === null ? null : [...sumOf],
    explanation: null,
  };
}

export function rowId({
  primitive,
  operation,
  bytes,
}: Pick<RowTimes, 'primitive' | 'operation' | 'bytes'>): string {
  return [primitive, operation, ...(bytes === null ? [] : [bytes])].join('/');
}

function referenceOf({ nodeUs, opensslUs, missing }: RowTimes): SpeedReference {
  const operationsPerS = medianInterval(ratesOf(opensslUs));
  if (operationsPerS === null) return { status: 'missing', reason: missing };
  const pairs = nodeUs.flatMap((node, round) => {
    const openssl = opensslUs[round] ?? null;
    return node === null || openssl === null ? [] : [{ a: [1 / openssl], b: [1 / node] }];
  });
  return { status: 'measured', operationsPerS, ratio: comparePaired(pairs, 'ratio').ratio };
}

function ratesOf(us: readonly (number | null)[]): number[] {
  return us.flatMap((each) => (each === null ? [] : [1e6 / each]));
}
