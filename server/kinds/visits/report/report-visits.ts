import { printQuantity } from '../../../../shared/base/quantity.ts';
import { scaleOf, shiftOf } from '../../../../shared/base/shift.ts';
import { transportFacts } from '../../../../shared/base/transport.ts';
import { visitSentences } from '../../../../shared/kinds/visits/visit-sentence.ts';
import {
  journeyName,
  type VisitRow,
  type VisitsDocument,
  visitTimeTitles,
} from '../../../../shared/kinds/visits/visits.ts';
import {
  byReason,
  figures,
  list,
  type Report,
  type ReportCell,
  table,
  text,
  texts,
} from '../../../../shared/report/report.ts';
import { reportOf } from '../../../base/text/report/common-sections.ts';
import { pageTable } from './page-rows.ts';

/** What HTTPS costs a visitor: a row for each time of the cold and of the warm visit. */
export function reportVisits(document: VisitsDocument): Report {
  const { sides, rows, blocks, notes, browser, seed } = document;
  const [headline, ...more] = visitSentences(rows);
  const kept = blocks.filter(({ dropped }) => dropped === null).length;
  const names = [sides.baseline, sides.comparison].map(({ transport }) => transportFacts[transport].name);
  const columns = [
    ...texts('Visit', 'Time'),
    ...figures(...names, 'Difference', 'Change', '95 % CI'),
    ...texts('Outcome'),
  ];
  return reportOf(document, {
    title: headline ?? `What HTTPS costs a visitor: ${journeyName(document.request)}`,
    lead: [text(...more)],
    measured: `${journeyName(document.request)}, ${kept} blocks of six visits in ${browser}, with 95 % CI, seed ${seed ?? 'none'}.`,
    sections: [
      {
        heading: null,
        parts: [table(columns, rows.map(cellsOf)), list([...byReason(reasonsOf(rows)), ...notes])],
      },
      { heading: 'Page by page', isDetail: true, parts: pageTable(document) },
    ],
  });
}

function cellsOf(row: VisitRow): ReportCell[] {
  const compared = { ...row, unit: 'us' as const };
  const scale = scaleOf(compared);
  const shift = shiftOf(compared);
  const side = (estimate: VisitRow['baseline']) =>
    estimate === null ? null : printQuantity(estimate.center, scale);
  return [
    row.pass,
    visitTimeTitles[row.time],
    side(row.baseline),
    side(row.comparison),
    shift?.absolute ?? null,
    shift?.center ?? null,
    shift?.interval ?? null,
    row.outcome.replace('_', ' '),
  ];
}

function reasonsOf(rows: readonly VisitRow[]) {
  return rows.flatMap(({ pass, time, reasons }) =>
    reasons.map((reason) => ({ name: `${pass} ${visitTimeTitles[time].toLowerCase()}`, reason })),
  );
}
