import { excludes } from '../../base/estimate-arithmetic.ts';
import { printNumber } from '../../base/quantity.ts';
import { labelsOf } from '../../base/transport.ts';
import type { Headline } from '../../measurement/measurement.ts';
import { linkInWords } from '../comparison/link.ts';
import { endsInWords, guessInWords, type PrintedDifference, printDifferenceOf } from '../comparison/shift.ts';
import type { VisitRow, VisitsBlock, VisitsFigures } from './visits.ts';

/** "No overhead above" this. */
export const visitTolerance = 0.05;

/** Tested in this sequence, what the headline says first; the other times are exploratory. */
const sequence = ['cold loadUs', 'warm loadUs', 'cold lcpUs', 'resumed loadUs'];

export function isPrimary(row: Pick<VisitRow, 'pass' | 'time'>): boolean {
  return turnOf(row) < sequence.length;
}

/** Its place in the sequence; exploratory times come after it. */
export function turnOf({ pass, time }: Pick<VisitRow, 'pass' | 'time'>): number {
  const place = sequence.indexOf(`${pass} ${time}`);
  return place < 0 ? sequence.length : place;
}

/** How clean visits were, and why. Noisy ones are no less right: their intervals are wider. */
export function qualityOfVisits({
  blocks,
  rows,
}: {
  blocks: readonly VisitsBlock[];
  rows: readonly VisitRow[];
}): { quality: 'clean' | 'noisy'; reasons: string[] } {
  const dropped = blocks.filter((block) => block.dropped !== null).length;
  const twins = rows.filter((row) => isPrimary(row) && row.twinRatio !== null && excludes(row.twinRatio, 1));
  const wide = rows.filter((row) => isPrimary(row) && row.ratio !== null && halfWidth(row.ratio) > wideAbove);
  const reasons = [
    ...(dropped === 0
      ? []
      : [`${printNumber(dropped, 0)} of ${printNumber(blocks.length, 0)} rounds were discarded.`]),
    ...(twins.length === 0
      ? []
      : [
          'The control differed from the first side by more than chance, so the machine affected the figures.',
        ]),
    ...(wide.length === 0
      ? []
      : [`Visits varied: an interval is wider than ±${printNumber(100 * wideAbove, 0)} %. Add rounds.`]),
  ];
  return { quality: reasons.length === 0 ? 'clean' : 'noisy', reasons };
}

const wideAbove = 0.1;

function halfWidth({ lo, hi }: { lo: number; hi: number }): number {
  return (hi / lo) ** 0.5 - 1;
}

type Judged = Pick<VisitsFigures, 'rows' | 'sides' | 'request'>;

/** Load time of the first visit, then that of a repeat visit, over the first link. Null without figures. */
export function visitsHeadline({ rows, sides, request: { links } }: Judged): Headline | null {
  const { baseline: first, comparison: second } = labelsOf(sides);
  const [cold, warm] = (['cold', 'warm'] as const).map((pass) =>
    rows.find((each) => each.pass === pass && each.time === 'loadUs'),
  );
  const printed = cold === undefined ? null : printRow(cold);
  if (cold === undefined || printed === null) return null;
  const [link] = links;
  const over =
    link === undefined
      ? ''
      : ` Over ${linkInWords(link)}${links.length === 1 ? '' : `, the first of ${links.length} links`}.`;
  const share = [printed.change?.signed, `(${printed.values})`].join(' ');
  const again = warm === undefined ? '' : repeatInWords(warm);
  const third = `95 % CI of the first visit: ${endsInWords(printed)}.${over}`;
  if (cold.outcome === 'overhead') {
    const longer = (cold.ratio?.center ?? 1) > 1 ? 'longer' : 'less';
    // HTTP is what a reader compares with unless told otherwise.
    const than = sides.baseline.transport === 'http' ? '' : ` than over ${first}`;
    return {
      title: `A first visit over ${second} takes ${printed.amount} ${longer}${than}`,
      ...{ second: `${share}${again}`, third },
    };
  }
  if (cold.outcome === 'no_overhead') {
    const title = `A first visit over ${second} takes as long as over ${first}, ${within}`;
    return { title, second: `${share}${again}`, third };
  }
  return {
    title: guessInWords(printed, cold.outcome),
    second: `Load of a first visit, ${second} compared with ${first} (${printed.values})${again}`,
    ...(over === '' ? {} : { third: over.trim() }),
  };
}

/** The shortest and cleanest of several links on which the second side certainly loads sooner; null without one link or figures. */
export function whereItPays({ rows, sides, request: { links } }: Judged): string | null {
  const loads = rows.filter(
    ({ link, pass, time }) => link !== undefined && pass === 'cold' && time === 'loadUs',
  );
  if (links.length < 2 || loads.length === 0) return null;
  const { baseline: first, comparison: second } = labelsOf(sides);
  const placed = loads.flatMap((row) => {
    const link = links[row.link ?? 0];
    return link === undefined || row.ratio === null
      ? []
      : [{ path: link, gain: 1 - row.ratio.center, outcome: row.outcome }];
  });
  const sooner = placed
    .filter(({ outcome, gain }) => outcome === 'overhead' && gain > 0)
    .toSorted((a, b) => a.path.roundTripMs - b.path.roundTripMs || lossOf(a.path) - lossOf(b.path));
  const slower = placed.filter(({ outcome, gain }) => outcome === 'overhead' && gain < 0).length;
  const [begin] = sooner;
  const counts = `on ${sooner.length} of ${links.length} links a first visit loads sooner over ${second} than over ${first}, on ${slower} later`;
  if (begin === undefined)
    return `On none of ${links.length} links a first visit certainly loads sooner over ${second} than over ${first}, on ${slower} it loads later. Each link is tested alone.`;
  return `${second} begins to pay at ${linkInWords(begin.path)}: ${counts}. Each link is tested alone.`;
}

function lossOf({ lossPercent = 0 }: { lossPercent?: number | undefined }): number {
  return lossPercent;
}

/** Key of a row's figures. Those of the first link are the ones that are shown first. */
export function keyOfRow({ link = 0, pass, time }: Pick<VisitRow, 'link' | 'pass' | 'time'>): string {
  return link === 0 ? `visits/${pass}/${time}` : `visits/link ${link + 1}/${pass}/${time}`;
}

const within = `within ±${printNumber(100 * visitTolerance, 0)} %`;

function printRow(row: VisitRow): PrintedDifference | null {
  return row.outcome === 'refused' || row.ratio === null ? null : printDifferenceOf({ ...row, unit: 'us' });
}

/** `; a repeat visit 2 ms`; empty if it is unknown. */
function repeatInWords(row: VisitRow): string {
  const printed = printRow(row);
  if (printed === null) return '';
  const doubt =
    row.outcome === 'overhead' ? '' : row.outcome === 'no_overhead' ? `, ${within}` : ', not certain';
  return `; a repeat visit ${printed.signed}${doubt}`;
}
