import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import { operatingPointSchema } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { Metric } from '../../../../shared/kinds/comparison/metric.ts';

const everyPoint = operatingPointSchema.options.length;

/**
 * The blocks that a metric is read from, spoiled or not: those of the first of its operating points that the run has, or
 * all where it is read everywhere.
 */
export function blocksAtPointOf({ points }: Pick<Metric, 'points'>, blocks: readonly Block[]): Block[] {
  if (points.length === everyPoint) return [...blocks];
  const kinds = new Set(blocks.map(({ kind }) => kind));
  const point = points.find((each) => kinds.has(each));
  return blocks.filter(({ kind }) => kind === point);
}

/** Those of them that nothing spoils for this metric. */
export function soundBlocksOf(metric: Pick<Metric, 'points' | 'group'>, blocks: readonly Block[]): Block[] {
  return blocksAtPointOf(metric, blocks).filter((block) => !isSpoiled(metric, block));
}

export function isSpoiled({ group }: Pick<Metric, 'group'>, { reasons }: Block): boolean {
  return reasons.some(({ spoils }) => spoils === 'all' || spoils === group);
}

/** Whether a block counts at all; some of its metrics may not. */
export function isKept({ reasons }: Pick<Block, 'reasons'>): boolean {
  return reasons.every(({ spoils }) => spoils !== 'all');
}
