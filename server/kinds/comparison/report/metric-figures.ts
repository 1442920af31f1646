import type { SideName } from '../../../../shared/base/transport.ts';
import { loadClassOf } from '../../../../shared/kinds/comparison/at-load.ts';
import type { MetricComparison } from '../../../../shared/kinds/comparison/comparison.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { type FigureRow, type Figures, spreadEstimate } from '../../../../shared/measurement/history.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { wideningsByName } from '../../../method/statistics/widenings.ts';

/** A row for each metric of the history in SQL. */
export function metricFigures(document: RunDocument): Figures {
  const { target, scenario, plan, sides, tls, metrics, atLoad, environment } = document;
  const run = {
    ...{ target: factsOf(target).name, scenario: scenario.name, preset: plan.preset },
    baseline_transport: sides.baseline.transport,
    comparison_transport: sides.comparison.transport,
    ...{ tls_protocol: tls.protocol, cipher: tls.cipher },
  };
  const load = {
    baseline_busy_cores: busyCoresOf(document, 'baseline'),
    comparison_busy_cores: busyCoresOf(document, 'comparison'),
    load_class: atLoad === undefined ? null : loadClassOf(atLoad),
    ...{ target_kind: target.kind, machine: environment.machine ?? null },
  };
  const rows = metrics.map(({ id, unit, baseline, comparison, delta, ratio, outcome, precision }) => ({
    ...run,
    ...{ metric: id, unit },
    ...spreadEstimate('baseline', baseline),
    ...spreadEstimate('comparison', comparison),
    ...spreadEstimate('shift', delta),
    ...spreadEstimate('ratio', ratio),
    verdict: outcome,
    ...spreadPrecision(precision),
    ...load,
  }));
  return { view: 'v_metrics', rows };
}

function busyCoresOf({ fairness }: RunDocument, side: SideName): number | null {
  const percent = fairness?.[side].targetCpuPercent.maximum ?? null;
  return percent === null ? null : percent / 100;
}

/** Nulls where nothing was measured. */
function spreadPrecision(precision: MetricComparison['precision']): FigureRow {
  const widenings = precision === undefined ? null : wideningsByName(precision);
  return {
    within_error: precision?.withinError ?? null,
    standard_error: precision?.standardError ?? null,
    degrees: precision?.degrees ?? null,
    own_variance: precision?.own.variance ?? null,
    own_degrees: precision?.own.degrees ?? null,
    widening_drift: widenings?.drift ?? null,
    widening_twin: widenings?.twin ?? null,
    widening_carry_over: widenings?.['carry-over'] ?? null,
  };
}
