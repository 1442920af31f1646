import { labelsOf, type SideName } from '../../../../shared/base/transport.ts';
import { loadClassOf } from '../../../../shared/kinds/comparison/at-load.ts';
import type { MetricComparison } from '../../../../shared/kinds/comparison/comparison.ts';
import { metricsHistory } from '../../../../shared/kinds/comparison/history.ts';
import { namesBeside } from '../../../../shared/kinds/comparison/program.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { askedSidesOf } from '../../../../shared/kinds/comparison/side.ts';
import { type FigureRow, type Figures, spreadEstimate } from '../../../../shared/measurement/history-view.ts';
import { targetNameOf } from '../../../../shared/words/targets-of-sides.ts';
import { wideningsByName } from '../../../method/statistics/precision.ts';

/** A row for each metric of the history in SQL. @param question its id */
export function metricFigures(document: RunDocument, question: string): Figures {
  const { target, scenario, plan, metrics, atLoad, environment, cpuOf, departed = null } = document;
  const run = {
    target: targetNameOf(askedSidesOf(document)),
    ...{ scenario: scenario.name, question, length: plan.length },
    ...spreadSide(document, 'baseline'),
    ...spreadSide(document, 'comparison'),
  };
  const load = {
    baseline_busy_cores: busyCoresOf(document, 'baseline'),
    comparison_busy_cores: busyCoresOf(document, 'comparison'),
    load_users: atLoad?.users ?? null,
    load_rate_per_s: atLoad?.ratePerS ?? null,
    load_class: atLoad === undefined ? null : loadClassOf(atLoad),
    ...{ target_kind: target.kind, machine: environment.machine ?? null },
    ...{ programs: cpuOf === undefined ? null : namesBeside(cpuOf).join(', '), departed },
  };
  const rows = metrics.map(({ id, unit, baseline, comparison, delta, ratio, outcome, ...rest }) => ({
    ...run,
    ...{ metric: id, unit },
    ...spreadEstimate('baseline', baseline),
    ...spreadEstimate('comparison', comparison),
    ...spreadEstimate('shift', delta),
    ...spreadEstimate('ratio', ratio),
    verdict: outcome,
    ...spreadPrecision(rest),
    ...load,
  }));
  return { view: metricsHistory, rows };
}

function spreadSide({ sides, tls }: RunDocument, side: SideName): FigureRow {
  const { negotiated } = tls[side];
  return {
    [`${side}_transport`]: sides[side].transport,
    [`${side}_name`]: labelsOf(sides)[side],
    [`${side}_protocol`]: negotiated?.protocol ?? null,
    [`${side}_cipher`]: negotiated?.cipher ?? null,
    [`${side}_group`]: negotiated?.group ?? null,
    [`${side}_key`]: negotiated?.key ?? null,
  };
}

function busyCoresOf({ fairness }: RunDocument, side: SideName): number | null {
  const percent = fairness?.[side].targetCpuPercent.maximum ?? null;
  return percent === null ? null : percent / 100;
}

/** Nulls where nothing was measured. */
function spreadPrecision({ precision, pairs }: Pick<MetricComparison, 'precision' | 'pairs'>): FigureRow {
  const widenings = precision === undefined ? null : wideningsByName(precision);
  return {
    samples: pairs.filter(({ aside }) => aside !== true).length,
    within_error: precision?.withinError ?? null,
    standard_error: precision?.standardError ?? null,
    degrees: precision?.degrees ?? null,
    launches_variance: precision?.launches.variance ?? null,
    launches_by_samples: precision?.launches.bySamples ?? null,
    launches_degrees: precision?.launches.degrees ?? null,
    widening_drift: widenings?.drift ?? null,
    widening_twin: widenings?.twin ?? null,
    widening_carry_over: widenings?.['carry-over'] ?? null,
  };
}
