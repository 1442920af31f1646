import type { SpeedCost, SpeedRow } from '../../../../shared/kinds/speed/speed.ts';
import { fitCost, type SizedTime } from './fit-cost.ts';

/** What a call costs before its first byte, and each byte, for every primitive that was measured at three sizes or more. */
export function speedCosts(rows: readonly SpeedRow[]): SpeedCost[] {
  const primitives = new Set(rows.filter(({ bytes }) => bytes !== null).map(({ primitive }) => primitive));
  return [...primitives].flatMap((primitive) => {
    const own = rows.filter((row) => row.primitive === primitive);
    const operation = own[0]?.operation;
    if (own.length < 3 || operation === undefined) return [];
    const node = fitCost(own.flatMap((row) => timeOf(row, row.operationsPerS.center)));
    const openssl = fitCost(
      own.flatMap((row) =>
        row.openssl.status === 'measured' ? timeOf(row, row.openssl.operationsPerS.center) : [],
      ),
    );
    return [{ primitive, operation, node, openssl }];
  });
}

function timeOf({ bytes }: SpeedRow, operationsPerS: number): SizedTime[] {
  return bytes === null ? [] : [{ bytes, us: 1e6 / operationsPerS }];
}
