import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';

/** Which parts of a document hold figures; a run that ended early has rows without any. */
export function isMeasured({ metrics }: Pick<ShownRun, 'metrics'>): boolean {
  return metrics.some(({ baseline, comparison }) => baseline !== null || comparison !== null);
}

export function hasSteps({ steps }: Pick<ShownRun, 'steps'>): boolean {
  return steps.some(({ baseline, comparison }) => baseline !== null || comparison !== null);
}

/** Whether there is a difference in CPU at load, which can be explained. */
export function hasCpuDelta({ metrics }: Pick<ShownRun, 'metrics'>): boolean {
  return metrics.some(({ id, delta }) => id === 'cpu_at_load' && delta !== null);
}
