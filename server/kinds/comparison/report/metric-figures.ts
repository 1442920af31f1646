import { type Figures, spreadEstimate } from '../../../../shared/history.ts';
import type { RunDocument } from '../../../../shared/run.ts';
import { factsOf } from '../../../../shared/target-facts.ts';

/** A row for each metric of the history in SQL. */
export function metricFigures({ target, scenario, plan, sides, tls, metrics }: RunDocument): Figures {
  const run = {
    ...{ target: factsOf(target).name, scenario: scenario.name, preset: plan.preset },
    baseline_transport: sides.baseline.transport,
    comparison_transport: sides.comparison.transport,
    ...{ tls_protocol: tls.protocol, cipher: tls.cipher },
  };
  const rows = metrics.map(({ id, unit, baseline, comparison, delta, ratio, outcome }) => ({
    ...run,
    ...{ metric: id, unit },
    ...spreadEstimate('baseline', baseline),
    ...spreadEstimate('comparison', comparison),
    ...spreadEstimate('shift', delta),
    ...spreadEstimate('ratio', ratio),
    verdict: outcome,
  }));
  return { view: 'v_metrics', rows };
}
