import { speedSizes } from '../../../../shared/kinds/speed/speed.ts';
import type { Sum } from '../plan/sums.ts';
import { type RowTimes, rowId } from './speed-rows.ts';

/** Rows whose time in each round is that of their parts in that round. A sum that lacks a part is left out. */
export function sumTimes(sums: readonly Sum[], measured: readonly RowTimes[]): RowTimes[] {
  const byId = new Map(measured.map((times) => [rowId(times), times]));
  return sums.flatMap((sum) =>
    [...speedSizes, null].flatMap((bytes) => {
      const ids = sum.parts.map((part) => rowId({ ...part, bytes }));
      const parts = ids.flatMap((id) => byId.get(id) ?? []);
      if (parts.length < ids.length) return [];
      const { name: primitive, group, operation } = sum;
      return [
        {
          primitive,
          group,
          operation,
          bytes,
          nodeUs: addUp(parts.map(({ nodeUs }) => nodeUs)),
          opensslUs: addUp(parts.map(({ opensslUs }) => opensslUs)),
          missing: 'openssl speed could not measure all of its parts.',
          sumOf: ids,
        },
      ];
    }),
  );
}

/** Only of rounds in which every part was measured. */
function addUp(parts: readonly (readonly (number | null)[])[]): (number | null)[] {
  const rounds = Math.max(0, ...parts.map((each) => each.length));
  return Array.from({ length: rounds }, (_, round) =>
    parts.reduce<number | null>((total, each) => {
      const us = each[round] ?? null;
      return total === null || us === null ? null : total + us;
    }, 0),
  );
}
