import type { RunDocument } from '../../../../shared/run.ts';
import { isEncrypted } from '../../../../shared/transport.ts';

/** Which parts of a document hold figures; a run that ended early has rows without any. */
export function isMeasured({ metrics }: Pick<RunDocument, 'metrics'>): boolean {
  return metrics.some(({ baseline, comparison }) => baseline !== null || comparison !== null);
}

export function hasSteps({ steps }: Pick<RunDocument, 'steps'>): boolean {
  return steps.some(({ baseline, comparison }) => baseline !== null || comparison !== null);
}

/** Whether the lab can tell what the handshakes and bytes of its encrypted side cost by themselves. */
export function hasParts({ sides, metrics, tls }: RunDocument): boolean {
  const delta = metrics.find(({ id }) => id === 'cpu_per_transaction')?.delta ?? null;
  const added = !isEncrypted(sides.baseline.transport) && isEncrypted(sides.comparison.transport);
  return added && delta !== null && tls.key !== null;
}
