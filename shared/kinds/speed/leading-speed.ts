import type { SpeedRow } from './speed.ts';

/**
 * What a library does, which is the figure to read first: `openssl speed`, and where it did not measure it, the calls of Node. A call of
 * Node takes a microsecond or more however little it is given, so small blocks show the call and not the primitive.
 */
export function leadingPerS({ openssl, operationsPerS, bytes }: SpeedRow): {
  operations: number;
  /** Null where there are no sizes. */
  bytes: number | null;
} {
  const { center } = openssl.status === 'measured' ? openssl.operationsPerS : operationsPerS;
  return { operations: center, bytes: bytes === null ? null : center * bytes };
}
