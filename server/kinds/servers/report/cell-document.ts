import { problem } from '../../../../shared/base/problem.ts';
import type { ServersCell, ServersRequest } from '../../../../shared/kinds/servers/servers.ts';
import type {
  AbReport,
  CellDocument,
  CellSide,
  ServersFacts,
  ServersVisit,
} from '../../../../shared/kinds/servers/servers-result.ts';
import type { Frame, Kept } from '../../kind.ts';
import { cellResult } from '../analyse/cell-result.ts';
import { abFiguresOf } from './ab-figures-of.ts';
import { printAbReport } from './ab-report.ts';

/** One cell of a sweep with its visits. Throws not_found for one that it does not have. */
export function cellDocumentOf(
  { id, createdAt, state, request }: Pick<Frame<ServersRequest>, 'id' | 'createdAt' | 'state' | 'request'>,
  { facts, blocks }: Kept<ServersFacts, ServersVisit>,
  cellId: string,
): CellDocument {
  const cell = facts.cells.find((each) => each.id === cellId);
  if (cell === undefined) throw problem('not_found', `The sweep has no cell ${cellId}.`);
  const visits = blocks.filter((visit) => visit.cell === cell.index).toSorted((a, b) => a.round - b.round);
  return {
    ...{ id, createdAt, state, rounds: request.rounds, visits },
    result: cellResult(cell, visits),
    server: facts.servers.find(({ name }) => name === cell.settings.server) ?? null,
    reports: { http: medianReport(cell, visits, 'http'), https: medianReport(cell, visits, 'https') },
  };
}

const armOfSide = { http: 'baseline', https: 'comparison' } as const;

/** Of the round whose rate is the median; the slower of the two in the middle. Null where none was kept. */
function medianReport(cell: ServersCell, visits: readonly ServersVisit[], side: CellSide): AbReport | null {
  const byRate = visits
    .flatMap((visit) => {
      const perS = visit.arms?.[armOfSide[side]]?.ab == null ? null : visit.arms[armOfSide[side]].perS;
      return perS === null ? [] : [{ visit, perS }];
    })
    .toSorted((a, b) => a.perS - b.perS);
  const median = byRate[Math.floor((byRate.length - 1) / 2)];
  return median === undefined ? null : reportOf(cell, median.visit, side, byRate.length);
}

/** @param of rounds that were kept, for the note; null for a round that was asked for */
export function reportOf(
  { settings }: ServersCell,
  visit: ServersVisit,
  side: CellSide,
  of: number | null,
): AbReport | null {
  const kept = visit.arms?.[armOfSide[side]]?.ab ?? null;
  if (kept === null) return null;
  const { serverSoftware, hostname, port, ...counts } = kept;
  const round = `Round ${visit.round + 1}`;
  const figures = abFiguresOf(counts, {
    ...{ serverSoftware, hostname, port, path: `/${settings.document}.html` },
    ...{ documentBytes: settings.document, concurrency: settings.concurrency },
    ...{ encrypted: side === 'https', keepAlive: settings.keepAlive },
    notes: [of === null || of === 1 ? `${round}.` : `${round} of ${of}, the one with the median rate.`],
  });
  return { round: visit.round, figures, text: printAbReport(figures) };
}
