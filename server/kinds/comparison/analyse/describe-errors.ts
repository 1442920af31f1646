import type { ErrorGroup } from '../../../../shared/base/outcome.ts';
import { type BySide, transportFacts } from '../../../../shared/base/transport.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import type { SideError } from '../../../../shared/kinds/comparison/side-error.ts';

/** Of a side that has a name, or of one that is called by what it speaks. */
export type DescribedError = Omit<SideError, 'side'> | ErrorGroup;

/** `X25519, Search: answered 500 instead of 200 (31 times)` — the largest group, and how many others there are. */
export function describeErrors(groups: readonly DescribedError[]): string {
  const [largest] = [...groups].sort((a, b) => b.count - a.count);
  if (largest === undefined) return 'no answer';
  const step = largest.step === null ? '' : `, ${largest.step}`;
  const times = largest.count === 1 ? 'once' : `${largest.count} times`;
  const others = groups.length - 1;
  const rest = others === 0 ? '' : `, and ${others} other ${others === 1 ? 'kind' : 'kinds'} of error`;
  const who = 'name' in largest ? largest.name : transportFacts[largest.transport].shortName;
  return `${who}${step}: ${largest.detail} (${times})${rest}`;
}

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
