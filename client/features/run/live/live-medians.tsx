import { printQuantity, scaleFor } from '../../../../shared/base/quantity.ts';
import { metrics } from '../../../../shared/kinds/comparison/metric.ts';
import { MediansSoFar } from '../../../components/medians-so-far.tsx';
import { printCount } from '../../../format/count.ts';
import type { Sides } from '../../../format/side.ts';
import { type LiveFigures, mediansOf } from './live-figures.ts';

type Props = { blocks: LiveFigures['blocks']; sides: Sides };

export function LiveMedians({ blocks, sides }: Props) {
  return (
    <MediansSoFar of={printCount(blocks.length, 'block')} head="Metric" sides={sides} rows={rowsOf(blocks)} />
  );
}

function rowsOf(blocks: LiveFigures['blocks']) {
  return metrics.flatMap(({ id, title, unit }) => {
    const medians = mediansOf(blocks, id);
    if (medians === null) return [];
    const { baseline, comparison } = medians;
    const scale = scaleFor(unit, [baseline, comparison], [comparison - baseline]);
    const print = (value: number) => printQuantity(value, scale);
    return [{ name: title, baseline: print(baseline), comparison: print(comparison) }];
  });
}
