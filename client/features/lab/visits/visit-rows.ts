import { printChangeInterval, printQuantity } from '../../../../shared/base/quantity.ts';
import { scaleOf, shiftOf } from '../../../../shared/base/shift.ts';
import { isPrimary, turnOf, visitTolerance } from '../../../../shared/kinds/visits/visit-judgement.ts';
import { type VisitRow, type VisitTime, visitTimeTitles } from '../../../../shared/kinds/visits/visits.ts';
import type { ShownDelta } from '../../../components/delta-table.tsx';
import { printCount } from '../../../format/count.ts';
import { lookOfOutcome } from '../../../format/outcome.ts';
import { type ShiftAxis, shiftAxis } from '../../../format/shift-axis.ts';

/** The times of visits on one axis. */
type TimesView = {
  primary: ShownDelta[];
  others: ShownDelta[];
  unmeasured: ShownDelta[];
  axis: ShiftAxis;
};

export function timesView(rows: readonly VisitRow[]): TimesView {
  const said = new Set<string>();
  const shown = rows.map((row) => ({ row, delta: deltaOf(row, said) }));
  const measured = shown.filter(({ delta }) => delta.shift !== null);
  const first = measured.filter(({ row }) => isPrimary(row));
  return {
    primary: first.toSorted((a, b) => turnOf(a.row) - turnOf(b.row)).map(({ delta }) => delta),
    others: measured.filter(({ row }) => !isPrimary(row)).map(({ delta }) => delta),
    unmeasured: shown.filter(({ delta }) => delta.shift === null).map(({ delta }) => delta),
    axis: shiftAxis(
      measured.flatMap(({ delta: { strip, shift } }) =>
        strip === null ? [] : [{ interval: strip.interval, certain: shift?.center != null }],
      ),
      visitTolerance,
    ),
  };
}

const visits = { cold: 'first visit', warm: 'second visit' };

const definitions: Record<VisitTime, string> = {
  ttfbUs: 'From the start of a navigation to the first byte of its document.',
  fcpUs: 'From the start of a navigation until the page shows its first text or image.',
  lcpUs: 'From the start of a navigation until the page shows its largest text or image.',
  loadUs: 'From the start of a navigation until the page and what it needs have loaded.',
};

/** Rows may have the same reason, such as that there are too few blocks: it stands in the first of them. */
function deltaOf(row: VisitRow, said: Set<string>): ShownDelta {
  const { pass, time, baseline, comparison, reasons, ratio, twinRatio, outcome } = row;
  const compared = { ...row, unit: 'us' as const };
  const scale = scaleOf(compared);
  const title = `${visitTimeTitles[time]}, ${visits[pass]}`;
  const shift = shiftOf(compared);
  const fresh = shift === null ? reasons : reasons.filter((reason) => !said.has(reason));
  for (const reason of fresh) said.add(reason);
  return {
    id: `${pass}-${time.replace(/Us$/, '')}`,
    anchor: `${pass}-${time.replace(/Us$/, '')}`,
    title,
    meaning: [
      definitions[time],
      'The sum over all pages of the journey. Less is better.',
      ...(twinRatio === null ? [] : [`Twin: ${printChangeInterval(twinRatio)}.`]),
      ...(isPrimary(row) ? [] : ['Exploratory: not among the times that the verdict is corrected for.']),
    ].join(' '),
    lines: fresh,
    baseline: baseline === null ? null : printQuantity(baseline.center, scale),
    comparison: comparison === null ? null : printQuantity(comparison.center, scale),
    shift,
    look: lookOfOutcome(outcome, (ratio?.center ?? 1) - 1, 'lower', visitTolerance),
    strip: stripOf(row, title),
  };
}

function stripOf({ ratio, pairs, twinRatio, outcome }: VisitRow, title: string): ShownDelta['strip'] {
  if (ratio === null || outcome === 'refused') return null;
  const beside = twinRatio === null ? '' : ', beside the interval of the twin';
  return {
    interval: { lo: ratio.lo - 1, center: ratio.center - 1, hi: ratio.hi - 1 },
    marks: pairs.map((pair) => pair - 1),
    twin: twinRatio === null ? null : [twinRatio.lo - 1, twinRatio.hi - 1],
    label: `${title}: ${printCount(pairs.length, 'block')} and the interval over all${beside}`,
  };
}
