import type { FoldedStack } from '../../../shared/kinds/explain/explain.ts';

/** A frame with less than this share of all samples is part of its caller: nobody would see it. */
const visibleShare = 1 / 500;

type Node = { samples: number; own: number; calls: Map<string, Node> };

/** Several lists of stacks as one, the largest stacks first, without what is too small to see. */
export function pruneStacks(stacks: readonly FoldedStack[]): FoldedStack[] {
  const root = newNode();
  for (const { stack, samples } of stacks) addTo(root, stack.split(';'), samples);
  const pruned: FoldedStack[] = [];
  collect(root, [], Math.max(1, root.samples * visibleShare), pruned);
  return pruned.sort((a, b) => b.samples - a.samples || (a.stack < b.stack ? -1 : 1));
}

function newNode(): Node {
  return { samples: 0, own: 0, calls: new Map() };
}

function addTo(root: Node, frames: readonly string[], samples: number): void {
  let node = root;
  node.samples += samples;
  for (const frame of frames) {
    const next = node.calls.get(frame) ?? newNode();
    node.calls.set(frame, next);
    next.samples += samples;
    node = next;
  }
  node.own += samples;
}

function collect(node: Node, path: readonly string[], fewest: number, into: FoldedStack[]): void {
  let own = node.own;
  for (const [frame, next] of node.calls) {
    if (next.samples < fewest) own += next.samples;
    else collect(next, [...path, frame], fewest, into);
  }
  if (own > 0 && path.length > 0) into.push({ stack: path.join(';'), samples: own });
}
