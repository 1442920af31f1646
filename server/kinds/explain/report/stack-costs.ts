import { type BySide, sideNames } from '../../../../shared/base/transport.ts';
import type { ExplainDocument } from '../../../../shared/kinds/explain/explain.ts';

/** Each stack with what a request spends in it on both sides, µs. */
export function stackCosts({ stacks, samples, cpuUs }: ExplainDocument): Map<string, BySide<number>> {
  const costs = new Map<string, BySide<number>>();
  for (const side of sideNames) {
    const sampleUs = (cpuUs?.[side].center ?? 0) / Math.max(1, samples[side]);
    for (const each of stacks[side]) {
      const known = costs.get(each.stack) ?? { baseline: 0, comparison: 0 };
      known[side] += each.samples * sampleUs;
      costs.set(each.stack, known);
    }
  }
  return costs;
}
