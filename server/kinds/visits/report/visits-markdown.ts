import { journeyName, type VisitsDocument } from '../../../../shared/kinds/visits/visits.ts';
import { plainly, tableOf } from '../../../../shared/words/markdown-text.ts';
import { listOf, machineOf } from '../../../base/text/markdown-parts.ts';
import { visitCells, visitColumns } from './visits-table.ts';

/** Visits as a report in Markdown. */
export function printVisitsMarkdown(document: VisitsDocument): string {
  const { id, createdAt, state, rows, blocks, notes, browser, problem } = document;
  const kept = blocks.filter(({ dropped }) => dropped === null).length;
  const sections = [
    `# What HTTPS costs a visitor: ${plainly(journeyName(document.request))}`,
    `Measurement ${id} of ${new Date(createdAt).toISOString()}, ${state}: ${kept} blocks of six visits in ${plainly(browser)}, with 95 % CI.`,
    problem === null ? '' : `**${plainly(problem.detail)}**`,
    tableOf(visitColumns(document), rows.map(visitCells)),
    listOf(notes),
    `## Where\n\n${machineOf(document.environment)}`,
    `## Repeat it\n\n    ${document.command}`,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
