import { describeLink } from '../../../../shared/kinds/comparison/link.ts';
import { describePath } from '../../../../shared/kinds/comparison/path.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { describeReadings } from '../../../../shared/target/remote-readings.ts';
import { poolInWords } from '../../../../shared/words/pool-words.ts';
import { evidenceOf } from '../../../../shared/words/verdict-evidence.ts';
import { alignColumns, textOf } from '../../../base/text/terminal-parts.ts';
import { columnTitles, type DeltaRow, deltaRows } from './delta-rows.ts';
import { blocksInWords, headlineOf } from './headline.ts';

/** The run for a terminal: the verdict, the aligned delta table, and the reasons below it. Ends with a line feed. */
export function printTable(document: RunDocument): string {
  const rows = deltaRows(document);
  const evidence = evidenceOf(document);
  const pool = poolInWords(document);
  const below = [evidence, pool].filter((line) => line !== null);
  const lines = [headlineOf(document), ...below, ''];
  if (document.blocks.length > 0) {
    lines.push(...alignColumns([headerOf(document), ...rows.map(cellsOf)], 'lrrrrrlr'), '');
    lines.push(...reasonsOf(rows));
  }
  lines.push(...document.warnings);
  if (document.link !== undefined) lines.push(describeLink(document.link));
  if (document.path !== undefined) lines.push(describePath(document.path, document.sides));
  if (document.readings !== undefined) lines.push(describeReadings(document.readings));
  lines.push(`${blocksInWords(document)}; scenario ${document.scenario.name}.`);
  return textOf(lines);
}

function headerOf(document: RunDocument): string[] {
  return ['metric', ...columnTitles(document), 'delta', 'change', '95 % CI', 'outcome', 'twin'];
}

function cellsOf({ title, baseline, comparison, delta, shift, interval, outcome, twin }: DeltaRow): string[] {
  return [
    title,
    ...[baseline, comparison, delta, shift, interval].map((cell) => (cell === '' ? '–' : cell)),
    outcome,
    twin === '' ? '–' : twin,
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
