import { printQuantity, scaleFor } from '../../../../shared/base/quantity.ts';
import { metrics } from '../../../../shared/kinds/comparison/metric.ts';
import { MediansSoFar } from '../../../components/medians-so-far.tsx';
import { printCount } from '../../../format/count.ts';
import type { Sides } from '../../../format/side.ts';
import type { LiveFigures } from './live-figures.ts';

type Props = { figures: Pick<LiveFigures, 'medians' | 'blocks'>; sides: Sides };

export function LiveMedians({ figures: { medians, blocks }, sides }: Props) {
  return (
    <MediansSoFar
      of={printCount(blocks.length, 'block')}
      head="Metric"
      sides={sides}
      rows={rowsOf(medians)}
    />
  );
}

function rowsOf(medians: LiveFigures['medians']) {
  return metrics.flatMap(({ id, title, unit }) => {
    const pair = medians[id];
    if (pair === undefined) return [];
    const { baseline, comparison } = pair;
    const values = [baseline, comparison].filter((value) => value !== null);
    const apart = baseline === null || comparison === null ? [] : [comparison - baseline];
    const scale = scaleFor(unit, values, apart);
    const print = (value: number | null) => (value === null ? '–' : printQuantity(value, scale));
    return [{ name: title, baseline: print(baseline), comparison: print(comparison) }];
  });
}
