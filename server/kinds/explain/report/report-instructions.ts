import { groupTitles } from '../../../../shared/kinds/explain/cost-groups.ts';
import type { ExplainDocument } from '../../../../shared/kinds/explain/explain.ts';
import { sideTitle } from '../../../../shared/kinds/explain/explain-sentence.ts';
import type { InstructionCounts } from '../../../../shared/kinds/explain/instruction-counts.ts';
import {
  countsInWords,
  instructionNotes,
  instructionSentences,
  printInstructions,
  printMoreInstructions,
} from '../../../../shared/kinds/explain/instruction-sentence.ts';
import { figures, type Report, table, text, texts } from '../../../../shared/report/report.ts';
import { softwareInWords } from '../../../../shared/words/software-in-words.ts';
import { reportOf } from '../../../base/text/report/common-sections.ts';

/** How many instructions a request takes, group by group and by the functions that differ most. */
export function reportInstructions(document: ExplainDocument, instructions: InstructionCounts): Report {
  const { request, server } = document;
  const { groups, functions, perRequest, valgrind } = instructions;
  const [title = '', ...others] = instructionSentences({ request, instructions });
  const whole = { baseline: perRequest.baseline.center, comparison: perRequest.comparison.center };
  const columns = figures(sideTitle('baseline', request), sideTitle('comparison', request), 'Difference');
  return reportOf(document, {
    title,
    lead: [text(...others)],
    measured: `${countsInWords(instructions)}, by one user, counted by Valgrind ${valgrind}.`,
    about: ['A function without a name, or one that no group knows, belongs to its callers.'],
    notes: instructionNotes,
    sections: [
      {
        heading: 'Instructions of a request',
        parts: [
          table(
            [...texts('Goes to'), ...columns],
            [...groups.map((row) => [groupTitles[row.group], ...cellsOf(row)]), ['All', ...cellsOf(whole)]],
          ),
        ],
      },
      {
        heading: 'Functions that differ most, instructions of a request',
        isDetail: true,
        parts: [
          table(
            [...texts('Function', 'Library'), ...columns],
            functions.map((row) => [row.name, row.library, ...cellsOf(row)]),
          ),
        ],
      },
    ],
    where: [`Server: ${softwareInWords(server)}`],
  });
}

function cellsOf({ baseline, comparison }: { baseline: number; comparison: number }): string[] {
  return [
    ...[printInstructions(baseline), printInstructions(comparison)],
    printMoreInstructions(comparison - baseline),
  ];
}
