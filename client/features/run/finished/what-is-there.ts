import type { RunDocument } from '../../../../shared/run.ts';
import { isEncrypted } from '../../../../shared/transport.ts';

/** Which parts of a document hold figures; a run that ended early has rows without any. */
export function isMeasured({ metrics }: Pick<RunDocument, 'metrics'>): boolean {
  return metrics.some(({ http, https }) => http !== null || https !== null);
}

export function hasSteps({ steps }: Pick<RunDocument, 'steps'>): boolean {
  return steps.some(({ http, https }) => http !== null || https !== null);
}

/** Whether the lab can tell what the handshakes and bytes of its encrypted side cost by themselves. */
export function hasParts({ target, metrics, tls }: RunDocument): boolean {
  const [baseline, comparison] = target.transports;
  const delta = metrics.find(({ id }) => id === 'cpu_per_transaction')?.delta ?? null;
  return !isEncrypted(baseline) && isEncrypted(comparison) && delta !== null && tls.key !== null;
}
