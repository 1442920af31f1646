import type { RunDocument } from '../../../../shared/run.ts';

/** Which parts of a document hold figures; a run that ended early has rows without any. */
export function isMeasured({ metrics }: Pick<RunDocument, 'metrics'>): boolean {
  return metrics.some(({ http, https }) => http !== null || https !== null);
}

export function hasSteps({ steps }: Pick<RunDocument, 'steps'>): boolean {
  return steps.some(({ http, https }) => http !== null || https !== null);
}
