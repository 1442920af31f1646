import type { ReactNode } from 'react';
import { ScrollRegion } from './scroll-region.tsx';
import classes from './table.module.css';

export type Column<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  /** Aligned to the right, in figures of one width: unless it says otherwise, every column but the first. */
  numeric?: boolean;
};

type Props<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  testId?: string;
  /** Columns are text unless they say `numeric`. */
  text?: boolean;
  /** Cards on a narrow screen; a table with many short rows scrolls inside its box instead. */
  narrow?: 'cards' | 'scroll';
};

/**
 * A table whose first column heads its rows. On a narrow screen every row becomes a card; as that changes how it is laid out,
 * the roles are spelled out, so that assistive technology goes on reading a table.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { caption, columns, rows, keyOf, testId, text = false, narrow = 'cards' } = props;
  const [head, ...others] = columns;
  const isNumeric = (column: Column<Row>) => column.numeric ?? !(text || column === head);
  return (
    <ScrollRegion label={caption} narrow={narrow}>
      <table {...role('table')} className={classes.dataTable} data-narrow={narrow} data-testid={testId}>
        <caption className="hidden">{caption}</caption>
        <thead {...role('rowgroup')}>
          <tr {...role('row')}>
            {columns.map((column) => (
              <th key={column.label} scope="col" {...role('columnheader')} data-numeric={isNumeric(column)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...role('rowgroup')}>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...role('row')}>
              <th scope="row" {...role('rowheader')}>
                {head?.cell(row)}
              </th>
              {others.map((column) => (
                <td
                  key={column.label}
                  {...role('cell')}
                  data-label={column.label}
                  data-numeric={isNumeric(column)}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function role(name: string): { role: string } {
  return { role: name };
}
