import { isEncrypted } from '../../../shared/base/transport.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { scaled } from '../statistics/estimates.ts';
import type { CostSource } from './costs.ts';

/** What a paired run knows: the CPU of a request at load on the side without TLS. */
export function costsOfRun({
  metrics,
  scenario,
  sides,
}: Pick<RunDocument, 'metrics' | 'scenario' | 'sides'>): Pick<CostSource, 'request'> {
  const row = metrics.find(({ id }) => id === 'cpu_at_load');
  const cpu = row === undefined || row.outcome === 'refused' ? null : row.baseline;
  const requests = scenario.steps.length;
  if (cpu === null || isEncrypted(sides.baseline.transport)) return { request: () => null };
  return {
    request: () => ({
      value: scaled(cpu, 1 / requests),
      source: 'measured',
      from: `From the run: CPU per transaction over HTTP at load, divided by its ${requests} requests.`,
    }),
  };
}
