import type { Estimate } from '../../shared/base/units.ts';
import type { MetricComparison } from '../../shared/kinds/comparison/comparison.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { verdictOf } from '../method/statistics/outcome-decision.ts';
import { sampleRun } from './sample-run.ts';

const day = 24 * 3600 * 1000;

/**
 * For tests: a run a day after the sample run, with the same set-up and random draws of its own.
 * @param cpu factor on what HTTPS costs in CPU per transaction: with 1, nothing has changed but by chance
 */
export function laterRun({ cpu = 1 }: { cpu?: number } = {}): RunDocument {
  const run = sampleRun({ seed: 11 });
  const metrics = run.metrics.map((row) => (row.id === 'cpu_at_load' ? scaled(row, cpu) : row));
  return {
    ...run,
    id: '5hP2rTz8Kw4QsXa6MbUe9Y',
    createdAt: run.createdAt + day,
    startedAt: run.createdAt + day + 40,
    endedAt: run.createdAt + day + 66_400,
    metrics,
    verdict: verdictOf(metrics),
  };
}

function scaled(row: MetricComparison, factor: number): MetricComparison {
  const { baseline, comparison, delta, ratio, launches } = row;
  if (baseline === null || comparison === null || delta === null || ratio === null) return row;
  const center = comparison.center * factor - baseline.center;
  const reach = (delta.hi - delta.center) * factor;
  return {
    ...row,
    comparison: times(comparison, factor),
    delta: { center, lo: center - reach, hi: center + reach },
    ratio: times(ratio, factor),
    launches: launches.map((launch) => ({ ...launch, ratio: times(launch.ratio, factor) })),
  };
}

function times({ center, lo, hi }: Estimate, factor: number): Estimate {
  return { center: center * factor, lo: lo * factor, hi: hi * factor };
}
