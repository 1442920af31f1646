import { printQuantity } from '../../../../shared/base/quantity.ts';
import { scaleOf, shiftOf } from '../../../../shared/base/shift.ts';
import { transportFacts } from '../../../../shared/base/transport.ts';
import {
  journeyName,
  type VisitRow,
  type VisitsFigures,
  visitTimeTitles,
} from '../../../../shared/kinds/visits/visits.ts';
import { alignColumns, textOf } from '../../../base/text/terminal-parts.ts';

/** Visits for a terminal. Ends with a line feed. */
export function printVisitsTable(run: VisitsFigures): string {
  const kept = run.blocks.filter(({ dropped }) => dropped === null).length;
  const lines = [
    ...alignColumns([visitColumns(run), ...run.rows.map(visitCells)], 'llrrrrrl'),
    '',
    ...reasonsOf(run.rows),
    ...run.notes,
    `${kept} blocks of six visits; 95 % CI; ${run.browser}; journey ${journeyName(run.request)}; seed ${run.seed ?? 'none'}.`,
  ];
  return textOf(lines);
}

export function visitColumns({ sides: { baseline, comparison } }: Pick<VisitsFigures, 'sides'>): string[] {
  const names = [transportFacts[baseline.transport].name, transportFacts[comparison.transport].name];
  return ['visit', 'time', ...names, 'delta', 'change', '95 % CI', 'outcome'];
}

export function visitCells(row: VisitRow): string[] {
  const compared = { ...row, unit: 'us' as const };
  const scale = scaleOf(compared);
  const shift = shiftOf(compared);
  const side = (estimate: VisitRow['baseline']) =>
    estimate === null ? '–' : printQuantity(estimate.center, scale);
  return [
    row.pass,
    visitTimeTitles[row.time],
    side(row.baseline),
    side(row.comparison),
    shift?.absolute ?? '–',
    shift?.center ?? '–',
    shift?.interval ?? '–',
    row.outcome.replace('_', ' '),
  ];
}

function reasonsOf(rows: readonly VisitRow[]): string[] {
  const seen = new Map<string, string[]>();
  for (const { pass, time, reasons } of rows) {
    for (const reason of reasons) {
      seen.set(reason, [...(seen.get(reason) ?? []), `${pass} ${visitTimeTitles[time].toLowerCase()}`]);
    }
  }
  return [...seen].map(([reason, names]) => `${names.join(', ')}: ${reason}`);
}
