import type { RunChanges } from '../../../../shared/kinds/comparison/result-changes.ts';
import { plainly, tableOf } from '../../../../shared/words/markdown-text.ts';
import { listOf } from '../../../base/text/markdown-parts.ts';
import { changeColumns, changeRows, nothingDiffers, resultLines } from './change-rows.ts';

/** What changed between two runs as a report in Markdown (CommonMark and tables). */
export function printChangesMarkdown(changes: RunChanges): string {
  const { sentence, evidence, cautions } = changes;
  const sections = [
    `# ${plainly(sentence)}`,
    ...(evidence === null ? [] : [`${plainly(evidence)}.`]),
    listOf(resultLines(changes)),
    ...cautions.map((caution) => `**Note:** ${plainly(caution)}`),
    setup(changes),
    metrics(changes),
  ];
  return `${sections.join('\n\n')}\n`;
}

function setup({ setup: differences }: RunChanges): string {
  const table = tableOf(
    ['', 'First', 'Second'],
    differences.map(({ name, from, to }) => [name, from, to]),
  );
  return `## Set-up\n\n${differences.length === 0 ? nothingDiffers : table}`;
}

function metrics(changes: RunChanges): string {
  const rows = changeRows(changes);
  const table = tableOf(
    changeColumns,
    rows.map(({ title, from, to, change, interval, word }) => [title, from, to, change, interval, word]),
  );
  const reasons = rows.flatMap(({ title, reasons }) => reasons.map((reason) => `${title}: ${reason}`));
  return ['## Metrics', table, ...(reasons.length === 0 ? [] : [listOf(reasons)])].join('\n\n');
}
