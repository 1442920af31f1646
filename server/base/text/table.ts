/** What a cell of a table of raw figures can hold. */
export type Cell = string | number | boolean | null | undefined;

/** Names of the columns, then a row each. */
export type Table = readonly (readonly Cell[])[];
