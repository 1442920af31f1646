import { historyViews, sqlExamples } from '../../../shared/measurement/history.ts';
import type { HistoryColumn } from '../../../shared/measurement/history-view.ts';
import { alignColumns, textOf } from '../../base/text/terminal-parts.ts';

/** The views with their columns, and queries to begin with. */
export function describeViews(): string {
  const views = historyViews.flatMap(({ name, row, columns }) => {
    const lines = columns
      .filter(isNoEnd)
      .map((column) => [nameOf(column, columns), column.type, column.about]);
    return [`${name}: ${row}`, ...alignColumns(lines, 'l').map((line) => `  ${line}`), ''];
  });
  const examples = sqlExamples.flatMap(({ title, sql }) => [
    '',
    `  ${title}:`,
    ...sql.split('\n').map((line) => `    ${line}`),
  ]);
  const estimates =
    'A column marked ± has a 95 % CI in two more columns, such as cpu_ratio_lo and cpu_ratio_hi.';
  return textOf(['Views', '', ...views, estimates, '', 'Examples', ...examples]);
}

function nameOf({ name }: HistoryColumn, all: readonly HistoryColumn[]): string {
  return all.some((other) => other.name === `${name}_lo`) ? `${name} ±` : name;
}

/** Interval ends are left out of the list: one sentence explains them all. */
function isNoEnd({ name }: HistoryColumn): boolean {
  return !/_(lo|hi)$/.test(name);
}
