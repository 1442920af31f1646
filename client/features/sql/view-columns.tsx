import { historyViews } from '../../../shared/measurement/history.ts';
import type { HistoryColumn } from '../../../shared/measurement/history-view.ts';
import classes from './sql.module.css';

/** What can be asked for, next to where it is written. */
export function ViewColumns() {
  return (
    <details className={classes.views}>
      <summary>Views and columns</summary>
      <p>
        A column marked ± has a 95 % CI in two more columns, such as <code>cpu_ratio_lo</code> and{' '}
        <code>cpu_ratio_hi</code>.
      </p>
      {historyViews.map(({ name, row, columns }) => (
        <div key={name}>
          <h3>
            <code>{name}</code>: {row}
          </h3>
          <p className={classes.columns}>
            {columns.filter(isNoEnd).map((column) => (
              <code key={column.name} title={column.about}>
                {column.name}
                {columns.some((other) => other.name === `${column.name}_lo`) ? ' ±' : ''}
              </code>
            ))}
          </p>
        </div>
      ))}
    </details>
  );
}

function isNoEnd({ name }: HistoryColumn): boolean {
  return !/_(lo|hi)$/.test(name);
}
