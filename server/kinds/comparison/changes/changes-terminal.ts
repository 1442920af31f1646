import type { RunChanges } from '../../../../shared/kinds/comparison/result-changes.ts';
import { alignColumns, textOf } from '../../../base/text/terminal-parts.ts';
import { changeColumns, changeRows, nothingDiffers, resultLines } from './change-rows.ts';

/** What changed between two runs for a terminal. Ends with a line feed. */
export function printChangesTable(changes: RunChanges): string {
  const { sentence, evidence, setup, cautions } = changes;
  const rows = changeRows(changes);
  const cells = rows.map(({ title, from, to, change, interval, word }) =>
    [title, from, to, change, interval, word].map((cell) => (cell === '' ? '–' : cell)),
  );
  return textOf([
    ...[sentence, ...(evidence === null ? [] : [evidence]), ''],
    ...[...resultLines(changes), ''],
    ...(setup.length === 0
      ? [nothingDiffers]
      : alignColumns(
          [['Set-up', 'First', 'Second'], ...setup.map(({ name, from, to }) => [name, from, to])],
          'l',
        )),
    '',
    ...alignColumns([changeColumns, ...cells], 'lrrrrl'),
    ...['', ...rows.flatMap(({ title, reasons }) => reasons.map((reason) => `${title}: ${reason}`))],
    ...cautions,
  ]);
}
