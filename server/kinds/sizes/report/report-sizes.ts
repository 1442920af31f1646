import { describePlacement } from '../../../../shared/kinds/comparison/placement.ts';
import { titleOfSizes } from '../../../../shared/kinds/sizes/size-words.ts';
import type { SizesDocument } from '../../../../shared/kinds/sizes/sizes.ts';
import { list, type Report, text } from '../../../../shared/report/report.ts';
import { sentenceOf } from '../../../../shared/studies/claims-today.ts';
import { webperfToday } from '../../../../shared/studies/webperf-today.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { reportOf } from '../../../base/text/report/common-sections.ts';
import { differenceTable, lineTable } from './line-tables.ts';
import { connectingOf, doubtsOf, methodOf, nameOfServer, thenAndNowOf, twinOf } from './size-notes.ts';
import { sizeTable } from './size-table.ts';

/** A sweep over sizes: the verdicts, the lines, what HTTPS adds, and every size. */
export function reportSizes(document: SizesDocument): Report {
  const { request, comparisons, placement } = document;
  return reportOf(document, {
    title: `What HTTPS costs by document size: ${nameOfServer(document) ?? factsOf(request.target).name}`,
    lead: comparisons.map(({ verdict }) => text(verdict.sentence)),
    about: [methodOf(document)],
    sections: [
      ...(['latency', 'cpu'] as const).map((quantity) => ({
        heading: titleOfSizes(quantity),
        parts: [lineTable(document, quantity), differenceTable(document, quantity)],
      })),
      { heading: 'Sizes', parts: [sizeTable(document)] },
      {
        heading: 'Doubts and limits',
        parts: [list([...doubtsOf(document), ...twinOf(document), ...connectingOf(document)])],
      },
      {
        heading: 'Then and now',
        parts: [text(...thenAndNowOf(document)), list(webperfToday(document).map(sentenceOf))],
      },
    ],
    where: [describePlacement(placement)],
  });
}
