import type { BySide } from '../../../../shared/base/transport.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import type { SideError } from '../../../../shared/kinds/comparison/side-error.ts';

/** Those that are alike on a side added up, the largest group first. */
export function errorsOf(blocks: readonly Pick<Block, 'slots'>[], names: BySide<string>): SideError[] {
  const merged = new Map<string, SideError>();
  for (const { arm, load } of blocks.flatMap(({ slots }) => slots)) {
    const side = arm === 'comparison' ? 'comparison' : 'baseline';
    for (const { transport: _, ...group } of load.errors) {
      const key = [side, group.step, group.outcome, group.detail].join('\n');
      const count = group.count + (merged.get(key)?.count ?? 0);
      merged.set(key, { ...group, side, name: names[side], count });
    }
  }
  return [...merged.values()].sort((a, b) => b.count - a.count);
}
