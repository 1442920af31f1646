import { Button } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { printCount } from '../format/count.ts';
import { DataTable } from './data-table.tsx';
import classes from './table.module.css';

type Props<Row> = ComponentProps<typeof DataTable<Row>> & {
  /** As many as are read at once; the others come when they are asked for. */
  first: number;
  /** What a row is, such as `cell`. */
  what: string;
};

export function LongTable<Row>({ first, what, rows, narrow, ...table }: Props<Row>) {
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, first);
  return (
    <>
      <DataTable {...table} rows={shown} narrow={narrow ?? (shown.length > 8 ? 'scroll' : 'cards')} />
      {shown.length === rows.length ? null : (
        <div className={classes.more}>
          <Button variant="default" onClick={() => setAll(true)}>
            Show all {printCount(rows.length, what)}
          </Button>
        </div>
      )}
    </>
  );
}
