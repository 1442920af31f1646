import { printChange, printChangeInterval, printNumber } from '../../../../shared/base/quantity.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import { describePlacement } from '../../../../shared/kinds/comparison/placement.ts';
import type { CellResult, ServersDocument } from '../../../../shared/kinds/servers/servers-result.ts';
import {
  figures,
  list,
  type Report,
  type ReportCell,
  table,
  texts,
} from '../../../../shared/report/report.ts';
import { sentenceOf } from '../../../../shared/studies/claims-today.ts';
import { malmgrenToday } from '../../../../shared/studies/malmgren-today.ts';
import { softwareInWords } from '../../../../shared/words/software-in-words.ts';
import { reportOf } from '../../../base/text/report/common-sections.ts';

/** A sweep over servers: what matters most, the study of 2011 beside it, then every cell. */
export function reportServers(document: ServersDocument): Report {
  const { ranking, servers, cells, placement } = document;
  return reportOf(document, {
    title: 'What HTTPS costs on real servers',
    lead: [list(ranking)],
    sections: [
      { heading: 'Malmgren 2011, today', parts: [list(malmgrenToday(document).map(sentenceOf))] },
      { heading: 'Cells', parts: [table(columns, cells.map(cellsOf))] },
      { heading: 'Servers', isDetail: true, parts: [list(servers.map(softwareInWords))] },
    ],
    where: [describePlacement(placement)],
  });
}

const columns = [
  ...texts('Cell'),
  ...figures('HTTP requests/s', 'HTTPS requests/s', 'Change'),
  ...figures('HTTP CPU at load, µs', 'HTTPS CPU at load, µs', 'Change'),
];

function cellsOf({ cell, throughput, cpu, failures, generatorLimited }: CellResult): ReportCell[] {
  // The load generator set the pace.
  const min = generatorLimited ? '≥ ' : '';
  if (throughput === null) return [cell.id, failures[0] ?? 'not measured', '', '', '', '', ''];
  return [
    cell.id,
    `${min}${printNumber(throughput.http.center, 0)}`,
    `${min}${printNumber(throughput.https.center, 0)}`,
    change(throughput.ratio),
    cpu === null ? null : printNumber(cpu.http.center, 1),
    cpu === null ? null : printNumber(cpu.https.center, 1),
    cpu === null ? null : change(cpu.ratio),
  ];
}

function change(ratio: Estimate): string {
  return `${printChange(ratio.center)} (${printChangeInterval(ratio)})`;
}
