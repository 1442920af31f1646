import { printQuantity } from '../../../../shared/base/quantity.ts';
import { scaleOf, shiftOf } from '../../../../shared/base/shift.ts';
import { transportFacts } from '../../../../shared/base/transport.ts';
import {
  type BrowserFigures,
  type JourneyRow,
  journeyName,
  journeyTimeTitles,
} from '../../../../shared/kinds/visits/visits.ts';
import { alignColumns, textOf } from '../../../base/text/terminal-parts.ts';

/** A browser run for a terminal. Ends with a line feed. */
export function printBrowserTable(run: BrowserFigures): string {
  const kept = run.blocks.filter(({ dropped }) => dropped === null).length;
  const lines = [
    ...alignColumns([journeyColumns(run), ...run.rows.map(journeyCells)], 'llrrrrrl'),
    '',
    ...reasonsOf(run.rows),
    ...run.notes,
    `${kept} blocks of six visits; 95 % CI; ${run.browser}; journey ${journeyName(run.request)}; seed ${run.seed ?? 'none'}.`,
  ];
  return textOf(lines);
}

export function journeyColumns({ sides: { baseline, comparison } }: Pick<BrowserFigures, 'sides'>): string[] {
  const names = [transportFacts[baseline.transport].name, transportFacts[comparison.transport].name];
  return ['visit', 'time', ...names, 'delta', 'change', '95 % CI', 'outcome'];
}

export function journeyCells(row: JourneyRow): string[] {
  const compared = { ...row, unit: 'us' as const };
  const scale = scaleOf(compared);
  const shift = shiftOf(compared);
  const side = (estimate: JourneyRow['baseline']) =>
    estimate === null ? '–' : printQuantity(estimate.center, scale);
  return [
    row.pass,
    journeyTimeTitles[row.time],
    side(row.baseline),
    side(row.comparison),
    shift?.absolute ?? '–',
    shift?.center ?? '–',
    shift?.interval ?? '–',
    row.outcome.replace('_', ' '),
  ];
}

function reasonsOf(rows: readonly JourneyRow[]): string[] {
  const seen = new Map<string, string[]>();
  for (const { pass, time, reasons } of rows) {
    for (const reason of reasons) {
      seen.set(reason, [...(seen.get(reason) ?? []), `${pass} ${journeyTimeTitles[time].toLowerCase()}`]);
    }
  }
  return [...seen].map(([reason, names]) => `${names.join(', ')}: ${reason}`);
}
