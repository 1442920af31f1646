import { printQuantity, scaleFor } from '../../../../shared/base/quantity.ts';
import type { BySide } from '../../../../shared/base/transport.ts';
import { metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { pointInWords } from '../../../../shared/words/at-load-words.ts';
import { withinWords } from '../../../../shared/words/outcome-word.ts';
import { concludeInWords } from '../conclusion.ts';
import { type DistributionView, pointAt } from './distribution-view.ts';

/** The median and the end of the curves: as the table concludes where it has the row, else both figures and no more. */
export function distributionInWords(
  view: DistributionView,
  labels: BySide<string>,
  { plan }: Pick<ShownRun, 'plan'>,
): string {
  const ends = view.highest > 50 ? [50, view.highest] : [50];
  const sentences = ends.map((percentile) => {
    const row = view.rows.get(percentile);
    if (row !== undefined)
      return concludeInWords(row, metricOf(row.id).title, labels, withinWords(plan.tolerance));
    const [a, b] = [pointAt(view.baseline, percentile).us, pointAt(view.comparison, percentile).us];
    const scale = scaleFor('us', [a, b], [Math.abs(b - a)]);
    const name = percentile === 50 ? 'median' : `${percentile}th percentile`;
    return `Latency, ${name}: ${printQuantity(a, scale)} with ${labels.baseline}, ${printQuantity(b, scale)} with ${labels.comparison}, without an interval`;
  });
  return sentences.join('. ');
}

/** What markers and bars are, and where the curve differs from the table. */
export function marksOfDistribution({ apartFromMedian }: DistributionView): string {
  const marks =
    'Bars are 95 % CIs, where the table has them; other percentiles are of all transactions pooled.';
  if (apartFromMedian === null) return marks;
  return `${marks} The curve was measured ${pointInWords[apartFromMedian]}, the median in the table for a lone user.`;
}
