import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { DeltaSection } from '../../../components/delta-section.tsx';
import type { ShownDelta } from '../../../components/delta-table.tsx';
import { sidesOf } from '../../../format/side.ts';
import { type DeltaRow, deltaView } from './delta-rows.ts';
import { Explained } from './explained.tsx';

/** Every metric of a run. */
export function MetricsSection({ document }: { document: ShownRun }) {
  const { primary, others, unmeasured, axis, tolerance } = deltaView(document);
  return (
    <DeltaSection
      id="metrics"
      label="Metrics"
      caption="Every metric on both sides, with its shift and outcome"
      of="Metric"
      primary={primary.map(shownOf)}
      others={others.map(shownOf)}
      unmeasured={unmeasured.map((row) => ({ ...shownOf(row), lines: row.reasons }))}
      axis={axis}
      tolerance={tolerance}
      sides={sidesOf(document.sides)}
      mark={<Explained plan={document.plan}>{'each of the launches'}</Explained>}
      twin={<Explained plan={document.plan}>{'twin'}</Explained>}
    />
  );
}

function shownOf({ metric, notes, reasons, restated, ...shown }: DeltaRow): ShownDelta {
  return {
    ...shown,
    id: metric.id,
    title: metric.title,
    meaning: [metric.definition, ...notes].join(' '),
    lines: [...(restated === null ? [] : [restated]), ...reasons],
  };
}
