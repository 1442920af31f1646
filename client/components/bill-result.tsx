import type { Bill, BillRow } from '../../shared/kinds/comparison/bill.ts';
import { priceSources, pricesOf } from '../../shared/kinds/comparison/capacity-options.ts';
import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';
import { printDollars, printEstimate } from '../../shared/words/print-estimate.ts';
import { Card } from './card.tsx';
import { DataTable } from './data-table.tsx';
import classes from './page.module.css';

export function BillResult({ bill: { sides, verdict, rows, notIncluded } }: { bill: Bill }) {
  const column = (label: string, side: 'baseline' | 'comparison' | 'added') => ({
    label,
    cell: (row: BillRow) => amountOf(row, row[side]),
  });
  return (
    <div className="stack">
      <Card>
        <p className="finding" role="status" data-testid="bill-verdict">
          {verdict}
        </p>
      </Card>
      <Card flush>
        <DataTable
          caption="Cores, bytes, and dollars per month"
          testId="bill"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { label: 'Item', cell: (row) => <Item row={row} /> },
            column(sides.baseline, 'baseline'),
            column(sides.comparison, 'comparison'),
            column('Difference', 'added'),
          ]}
        />
      </Card>
      <p className={classes.small}>Not included: {notIncluded.join('; ')}.</p>
      <p className={classes.small}>
        Default prices:{' '}
        {priceSources.map(({ title, href }, index) => (
          <span key={href}>
            {index === 0 ? '' : ', '}
            <a href={href} rel="noreferrer">
              {title}
            </a>
          </span>
        ))}
        ; {pricesOf}.
      </p>
    </div>
  );
}

function Item({ row: { title, unit, note } }: { row: BillRow }) {
  return (
    <>
      {unit === 'GB' ? `${title}, GB` : title}
      {note === null ? null : <span className={classes.note}>{note}</span>}
    </>
  );
}

function amountOf({ unit }: BillRow, amount: Estimate | null): string {
  if (amount === null) return 'not measured';
  return unit === '$' ? printDollars(amount) : printEstimate(amount);
}
