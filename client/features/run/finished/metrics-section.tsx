import { ciOf } from '../../../../shared/kinds/comparison/comparison.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { DeltaSection } from '../../../components/delta-section.tsx';
import { sidesOf } from '../../../format/side.ts';
import { deltaView } from './delta-rows.ts';
import { Explained } from './explained.tsx';

export function MetricsSection({ document }: { document: ShownRun }) {
  return (
    <DeltaSection
      {...deltaView(document)}
      id="metrics"
      label="Metrics"
      caption="Every metric on both sides, with its shift and outcome"
      of="Metric"
      ci={ciOf(document.metrics[0] ?? {})}
      sides={sidesOf(document.sides)}
      mark={<Explained plan={document.plan}>{'each of the launches'}</Explained>}
      twin={<Explained plan={document.plan}>{'twin'}</Explained>}
    />
  );
}
