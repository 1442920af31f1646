import { printChangeInterval, printQuantity } from '../../../../shared/base/quantity.ts';
import { scaleOf, shiftOf } from '../../../../shared/base/shift.ts';
import { isPrimary, turnOf, visitTolerance } from '../../../../shared/kinds/visits/visit-judgement.ts';
import { type VisitRow, type VisitTime, visitTimeTitles } from '../../../../shared/kinds/visits/visits.ts';
import { lookOfOutcome } from '../../../format/outcome.ts';
import {
  type DeltaParts,
  deltaParts,
  freshReasons,
  type ShownDelta,
  stripOf,
} from '../../../format/shown-delta.ts';

/** The times of visits on one axis, those that are tested in their sequence first. */
export function timesView(rows: readonly VisitRow[]): DeltaParts {
  const said = new Set<string>();
  const shown = rows.map((row) => ({ row, delta: deltaOf(row, said) }));
  const isLeading = ({ row, delta }: (typeof shown)[number]) => isPrimary(row) && delta.shift !== null;
  return deltaParts(
    shown
      .filter(isLeading)
      .toSorted((a, b) => turnOf(a.row) - turnOf(b.row))
      .map(({ delta }) => delta),
    shown.filter((each) => !isLeading(each)).map(({ delta }) => delta),
    visitTolerance,
  );
}

const visits = { cold: 'first visit', warm: 'second visit' };

const definitions: Record<VisitTime, string> = {
  ttfbUs: 'From the start of a navigation to the first byte of its document.',
  fcpUs: 'From the start of a navigation until the page shows its first text or image.',
  lcpUs: 'From the start of a navigation until the page shows its largest text or image.',
  loadUs: 'From the start of a navigation until the page and what it needs have loaded.',
};

function deltaOf(row: VisitRow, said: Set<string>): ShownDelta {
  const { pass, time, baseline, comparison, ratio, twinRatio, outcome, pairs } = row;
  const compared = { ...row, unit: 'us' as const };
  const scale = scaleOf(compared);
  const title = `${visitTimeTitles[time]}, ${visits[pass]}`;
  const id = `${pass}-${time.replace(/Us$/, '')}`;
  return {
    id,
    anchor: id,
    title,
    meaning: [
      definitions[time],
      'The sum over all pages of the journey. Less is better.',
      ...(twinRatio === null ? [] : [`Twin: ${printChangeInterval(twinRatio)}.`]),
      ...(isPrimary(row) ? [] : ['Exploratory: not among the times that the verdict is corrected for.']),
    ].join(' '),
    lines: freshReasons(row, said),
    baseline: baseline === null ? null : printQuantity(baseline.center, scale),
    comparison: comparison === null ? null : printQuantity(comparison.center, scale),
    shift: shiftOf(compared),
    look: lookOfOutcome(outcome, (ratio?.center ?? 1) - 1, 'lower', visitTolerance),
    strip: stripOf(row, title, pairs, 'block'),
  };
}
