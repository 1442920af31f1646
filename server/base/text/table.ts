import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';

/** What a cell of a table of raw figures can hold. */
export type Cell = string | number | boolean | null | undefined;

/** Names of the columns, then a row each. */
export type Table = readonly (readonly Cell[])[];

/** A column: its name, and how its cell is read. */
export type Column<Of> = { name: string; read: (of: Of) => Cell };

export function tableOf<Of>(columns: readonly Column<Of>[], rows: readonly Of[]): Table {
  return [columns.map(({ name }) => name), ...rows.map((of) => columns.map(({ read }) => read(of)))];
}

/** An estimate and the ends of its interval. */
export function intervalColumns<Of>(
  name: string,
  read: (of: Of) => Estimate | null | undefined,
): Column<Of>[] {
  return [
    { name, read: (of) => read(of)?.center },
    { name: `${name}_low`, read: (of) => read(of)?.lo },
    { name: `${name}_high`, read: (of) => read(of)?.hi },
  ];
}
