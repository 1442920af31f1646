import { printNumber } from '../../../../shared/base/quantity.ts';
import { labelsOf, sideNames } from '../../../../shared/base/transport.ts';
import { passKinds, type VisitsDocument } from '../../../../shared/kinds/visits/visits.ts';
import type { PageRequest } from '../../../../shared/kinds/visits/waterfall.ts';
import { figures, type Part, type ReportCell, table, texts } from '../../../../shared/report/report.ts';

/** What the waterfalls come to: a row for each page of each side and pass; nothing before there are any. */
export function pageTable({ sides, waterfalls }: Pick<VisitsDocument, 'sides' | 'waterfalls'>): Part[] {
  if (waterfalls === undefined) return [];
  const labels = labelsOf(sides);
  const rows = passKinds.flatMap((pass) =>
    sideNames.flatMap((side) =>
      waterfalls[side][pass].map((page): ReportCell[] => [
        ...[page.path, pass, labels[side]],
        ...[page.ttfbUs, page.fcpUs, page.lcpUs, page.loadUs].map(printMs),
        printNumber(page.requests.length + page.more, 0),
        ...handshakesOf(page.requests),
      ]),
    ),
  );
  const columns = [
    ...texts('Page', 'Visit', 'Side'),
    ...figures('First byte, ms', 'First paint, ms', 'Largest paint, ms', 'Load, ms'),
    ...figures('Requests', 'TLS handshakes', 'In handshakes, ms'),
  ];
  return [table(columns, rows)];
}

function handshakesOf(requests: readonly PageRequest[]): string[] {
  const made = requests.filter(({ tlsUs }) => tlsUs > 0);
  const us = made.reduce((sum, { tlsUs }) => sum + tlsUs, 0);
  return [printNumber(made.length, 0), printNumber(us / 1000, 1)];
}

function printMs(us: number | null): string | null {
  return us === null ? null : printNumber(us / 1000, 1);
}
