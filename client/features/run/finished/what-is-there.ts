import { isEncrypted } from '../../../../shared/base/transport.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';

/** Which parts of a document hold figures; a run that ended early has rows without any. */
export function isMeasured({ metrics }: Pick<ShownRun, 'metrics'>): boolean {
  return metrics.some(({ baseline, comparison }) => baseline !== null || comparison !== null);
}

export function hasSteps({ steps }: Pick<ShownRun, 'steps'>): boolean {
  return steps.some(({ baseline, comparison }) => baseline !== null || comparison !== null);
}

/** Whether the lab can tell what the handshakes and bytes of its encrypted side cost by themselves. */
export function hasParts({ sides, metrics, tls }: ShownRun): boolean {
  const delta = metrics.find(({ id }) => id === 'cpu_at_load')?.delta ?? null;
  const added = !isEncrypted(sides.baseline.transport) && isEncrypted(sides.comparison.transport);
  return added && delta !== null && tls.comparison.negotiated?.key != null;
}
