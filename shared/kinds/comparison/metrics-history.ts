import { estimateColumns, type HistoryColumn, type HistoryView } from '../../measurement/history-view.ts';

/** SQL view of a run's metrics. */
export const metricsHistory: HistoryView = {
  name: 'v_metrics',
  table: 'metric_figures',
  row: 'one row for each metric of a run',
  columns: [
    { name: 'target', type: 'text', about: 'What was loaded' },
    { name: 'scenario', type: 'text', about: 'Name of the scenario' },
    { name: 'question', type: 'text', about: 'The same for all runs of one question' },
    { name: 'length', type: 'text', about: 'first, quote or fine' },
    ...side('baseline'),
    ...side('comparison'),
    { name: 'metric', type: 'text', about: 'Id of the metric, such as cpu_at_load' },
    { name: 'unit', type: 'text', about: 'Unit of baseline, comparison and shift' },
    ...estimateColumns('baseline', 'Value of the baseline'),
    ...estimateColumns('comparison', 'Value of the comparison'),
    ...estimateColumns('shift', 'comparison minus baseline'),
    ...estimateColumns('ratio', 'comparison divided by baseline'),
    { name: 'verdict', type: 'text', about: 'overhead, no_overhead, inconclusive, not_tested or refused' },
    {
      name: 'within_error',
      type: 'real',
      about:
        'Standard error of the logarithm of the ratio, or of the difference, without what moves between runs',
    },
    { name: 'standard_error', type: 'real', about: 'The same with what moves between runs' },
    { name: 'degrees', type: 'real', about: 'Degrees of freedom of standard_error' },
    { name: 'samples', type: 'integer', about: 'Samples that the interval was computed from' },
    {
      name: 'launches_variance',
      type: 'real',
      about: 'Variance of the means of starts, from this run alone',
    },
    { name: 'launches_by_samples', type: 'real', about: 'Part of launches_variance that samples explain' },
    { name: 'launches_degrees', type: 'real', about: 'Degrees of freedom of launches_variance' },
    { name: 'widening_drift', type: 'real', about: 'What drift added to either side of the interval' },
    { name: 'widening_twin', type: 'real', about: 'What the control added' },
    { name: 'widening_carry_over', type: 'real', about: 'What carry-over between the sides added' },
    { name: 'baseline_busy_cores', type: 'real', about: 'Cores that the baseline kept busy at full load' },
    {
      name: 'comparison_busy_cores',
      type: 'real',
      about: 'Cores that the comparison kept busy at full load',
    },
    { name: 'load_users', type: 'integer', about: 'Virtual users at full load' },
    {
      name: 'load_rate_per_s',
      type: 'real',
      about: 'Transactions per second that a permitted host allowed; null for a closed loop',
    },
    { name: 'load_class', type: 'text', about: 'full, or rate where a permitted host allowed no more' },
    { name: 'target_kind', type: 'text', about: 'storefront, managed or origins' },
    { name: 'machine', type: 'text', about: 'Machine that measured, since it was started' },
    {
      name: 'programs',
      type: 'text',
      about: 'Programs that worked for the target besides itself, separated by commas; null for none',
    },
    {
      name: 'departed',
      type: 'text',
      about: 'How connections departed from the plan; null where they did not',
    },
  ],
};

/** Columns of one of the two sides of a run. */
function side(name: 'baseline' | 'comparison'): HistoryColumn[] {
  return [
    { name: `${name}_transport`, type: 'text', about: 'http, https, h2c or h2' },
    { name: `${name}_name`, type: 'text', about: `What the ${name} is called` },
    { name: `${name}_protocol`, type: 'text', about: 'Its TLS version, as negotiated; null without TLS' },
    { name: `${name}_cipher`, type: 'text', about: 'Its cipher suite' },
    { name: `${name}_group`, type: 'text', about: 'Its key agreement group; null where that is not known' },
    { name: `${name}_key`, type: 'text', about: 'Key of its server' },
  ];
}
