import { labelsOf } from '../../../../shared/base/transport.ts';
import { type MetricId, metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { withinWords } from '../../../../shared/words/outcome-word.ts';
import type { Sides } from '../../../format/side.ts';
import { concludeInWords } from '../conclusion.ts';
import { barsView } from './bars-view.ts';
import { EmptyFigure } from './empty-figure.tsx';
import { SideBars } from './side-bars.tsx';

type Props = { document: ShownRun; metricId: MetricId; sides: Sides };

export function BarsFigure({ document, metricId, sides }: Props) {
  const comparison = document.metrics.find(({ id }) => id === metricId);
  const rows = barsView(document, metricId);
  if (comparison === undefined || rows.length === 0) {
    return (
      <EmptyFigure>
        This metric was not measured in this run; the reason is in the table, or below it.
      </EmptyFigure>
    );
  }
  const { title } = metricOf(metricId);
  return (
    <SideBars
      rows={rows}
      unit={metricOf(metricId).unit}
      caption={concludeInWords(
        comparison,
        title,
        labelsOf(document.sides),
        withinWords(document.plan.tolerance),
      )}
      label="Bars."
      table={{ caption: 'Centres and 95 % CIs of both sides', head: 'Metric' }}
      sides={sides}
      whiskers={false}
    />
  );
}
