export type HistoryColumn = {
  name: string;
  type: 'text' | 'integer' | 'real' | 'boolean' | 'time';
  /** Meaning of the column, in a few words. */
  about: string;
};

/** A view of the history in SQL, as a kind declares it. */
export type HistoryView = {
  name: string;
  /** The table behind it. */
  table: string;
  /** Meaning of a row. */
  row: string;
  columns: readonly HistoryColumn[];
};

/** Figures of a document in one of the views, by column. A boolean is 1 or 0. */
export type FigureRow = Record<string, string | number | null>;
export type Figures = { view: HistoryView; rows: FigureRow[] };

/** The columns of a value and the ends of its 95 % confidence interval. */
export function estimateColumns(name: string, about: string): HistoryColumn[] {
  return [
    { name, type: 'real', about },
    { name: `${name}_lo`, type: 'real', about: '95 % CI, low end' },
    { name: `${name}_hi`, type: 'real', about: '95 % CI, high end' },
  ];
}
