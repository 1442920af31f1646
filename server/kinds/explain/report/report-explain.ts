import { printNumber, printUsEstimate } from '../../../../shared/base/quantity.ts';
import { loadInWords } from '../../../../shared/kinds/comparison/at-load.ts';
import { describePlacement } from '../../../../shared/kinds/comparison/placement.ts';
import type { ExplainDocument } from '../../../../shared/kinds/explain/explain.ts';
import {
  explainNotes,
  explainSentences,
  groupTitle,
  printUsDelta,
  sideTitle,
} from '../../../../shared/kinds/explain/explain-sentence.ts';
import { figures, type Report, table, text, texts } from '../../../../shared/report/report.ts';
import { softwareInWords } from '../../../../shared/words/software-in-words.ts';
import { reportOf } from '../../../base/text/report/common-sections.ts';
import { reportInstructions } from './report-instructions.ts';

/** Where the microseconds go, or the instructions, group by group. */
export function reportExplain(document: ExplainDocument): Report {
  if (document.instructions !== null) return reportInstructions(document, document.instructions);
  const { request, groups, cpuUs, delta, launches, load, samples, server } = document;
  const [title = 'Where the microseconds go', ...others] = explainSentences(document);
  const cells = groups.map((row) => [
    groupTitle(row.group, document),
    ...[printUsEstimate(row.baseline), printUsEstimate(row.comparison), printUsDelta(row.delta)],
  ]);
  const whole =
    cpuUs === null || delta === null
      ? []
      : [['All', printUsEstimate(cpuUs.baseline), printUsEstimate(cpuUs.comparison), printUsDelta(delta)]];
  return reportOf(document, {
    title,
    lead: [text(...others)],
    measured: `${launches.length} of ${request.launches} launches, ${loadInWords(load)}, ${printNumber(samples.baseline + samples.comparison, 0)} samples.`,
    about: [
      'CPU is that of the server’s processes, by the process CPU clock. A sample belongs to the nearest function that has a name and a group.',
    ],
    notes: explainNotes(document),
    sections: [
      {
        heading: 'CPU of a request, µs with 95 % CI',
        parts: [
          table(
            [
              ...texts('Goes to'),
              ...figures(sideTitle('baseline', request), sideTitle('comparison', request), 'Difference'),
            ],
            [...cells, ...whole],
          ),
        ],
      },
    ],
    where: [`Server: ${softwareInWords(server)}`, describePlacement(document.placement)],
  });
}
