import { type BrowserDocument, journeyName } from '../../../../shared/kinds/visits/visits.ts';
import { plainly, tableOf } from '../../../../shared/words/markdown-text.ts';
import { listOf, machineOf } from '../../../base/text/markdown-parts.ts';
import { journeyCells, journeyColumns } from './visits-table.ts';

/** A browser run as a report in Markdown. */
export function printBrowserMarkdown(document: BrowserDocument): string {
  const { id, createdAt, state, rows, blocks, notes, browser, problem } = document;
  const kept = blocks.filter(({ dropped }) => dropped === null).length;
  const sections = [
    `# What HTTPS costs a visitor: ${plainly(journeyName(document.request))}`,
    `Measurement ${id} of ${new Date(createdAt).toISOString()}, ${state}: ${kept} blocks of six visits in ${plainly(browser)}, with 95 % CI.`,
    problem === null ? '' : `**${plainly(problem.detail)}**`,
    tableOf(journeyColumns(document), rows.map(journeyCells)),
    listOf(notes),
    `## Where\n\n${machineOf(document.environment)}`,
    `## Repeat it\n\n    ${document.command}`,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
