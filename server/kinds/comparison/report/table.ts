import type { RunDocument } from '../../../../shared/run.ts';
import { columnTitles, type DeltaRow, deltaRows } from './delta-rows.ts';
import { blocksInWords, headlineOf } from './headline.ts';

/** The run for a terminal: the verdict, the aligned delta table, and the reasons below it. Ends with a line feed. */
export function printTable(document: RunDocument): string {
  const rows = deltaRows(document);
  const lines = [headlineOf(document), ''];
  if (document.blocks.length > 0) {
    lines.push(...alignRows([headerOf(document), ...rows.map(cellsOf)]), '');
    lines.push(...reasonsOf(rows));
  }
  lines.push(...document.warnings);
  lines.push(
    `${blocksInWords(document)}; intervals hold with 95 % confidence; scenario ${document.scenario.name}.`,
  );
  return `${lines.map(plain).join('\n')}\n`;
}

function headerOf(document: RunDocument): string[] {
  return ['metric', ...columnTitles(document), 'delta', 'change', '95 % interval', 'outcome'];
}

function cellsOf({ title, baseline, comparison, delta, shift, interval, outcome }: DeltaRow): string[] {
  return [
    title,
    ...[baseline, comparison, delta, shift, interval].map((cell) => (cell === '' ? '–' : cell)),
    outcome,
  ];
}

/** Each reason once, after the metrics that it is given for. */
function reasonsOf(rows: readonly DeltaRow[]): string[] {
  const titles = new Map<string, string[]>();
  for (const { title, reasons } of rows) {
    for (const reason of reasons) titles.set(reason, [...(titles.get(reason) ?? []), title]);
  }
  return [...titles].map(([reason, of]) =>
    of.length === rows.length && of.length > 1 ? `Every metric: ${reason}` : `${of.join('; ')}: ${reason}`,
  );
}

/** First and last column to the left, numbers to the right. */
function alignRows(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 || column === row.length - 1 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

/** A terminal obeys control characters, and names come from outside. */
function plain(line: string): string {
  return line.replace(/\p{Cc}/gu, '\ufffd');
}
