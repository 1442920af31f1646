import { type BySide, type SideName, sideNames } from '../../shared/base/transport.ts';
import type { ExplainDocument } from '../../shared/kinds/explain/explain.ts';
import type { FlameFrame } from '../charts/flame-chart.tsx';

type Stacks = Pick<ExplainDocument, 'stacks' | 'samples' | 'cpuUs'>;

type Node = { us: BySide<number>; calls: Map<string, Node> };

/** Stacks of both sides as one tree, in µs a request: as wide as one side, and colored by what the comparison has more. */
export function flameTree(document: Stacks, side: SideName): FlameFrame {
  const root = treeOf(document);
  return trimmed(frameOf('all', root, side));
}

/** Functions by what they take themselves, without what they call; the most expensive first. */
export function ownCosts(document: Stacks): { name: string; us: BySide<number> }[] {
  const costs = new Map<string, BySide<number>>();
  const visit = (name: string, { us, calls }: Node) => {
    const own = { ...us };
    for (const [called, node] of calls) {
      visit(called, node);
      for (const side of sideNames) own[side] -= node.us[side];
    }
    const known = costs.get(name) ?? none();
    for (const side of sideNames) known[side] += own[side];
    costs.set(name, known);
  };
  visit('all', treeOf(document));
  return [...costs]
    .map(([name, us]) => ({ name, us }))
    .filter(({ name }) => name !== 'all')
    .sort((one, other) => Math.max(...Object.values(other.us)) - Math.max(...Object.values(one.us)));
}

function treeOf({ stacks, samples, cpuUs }: Stacks): Node {
  const root: Node = { us: none(), calls: new Map() };
  for (const side of sideNames) {
    const usOf = (cpuUs?.[side].center ?? 0) / Math.max(1, samples[side]);
    for (const each of stacks[side]) {
      let node = root;
      node.us[side] += each.samples * usOf;
      for (const frame of each.stack.split(';')) {
        const next = node.calls.get(frame) ?? { us: none(), calls: new Map() };
        node.calls.set(frame, next);
        next.us[side] += each.samples * usOf;
        node = next;
      }
    }
  }
  return root;
}

function none(): BySide<number> {
  return { baseline: 0, comparison: 0 };
}

function frameOf(name: string, { us, calls }: Node, side: SideName): FlameFrame {
  return {
    name,
    value: us[side],
    delta: us.comparison - us.baseline,
    children: [...calls]
      .filter(([, node]) => node.us[side] > 0)
      .map(([called, node]) => frameOf(called, node, side)),
  };
}

/** Of what everything passes, such as the start of the program, nothing is to be seen. */
function trimmed(frame: FlameFrame): FlameFrame {
  const main = frame.children.find(({ value }) => value > 0.97 * frame.value);
  return main === undefined ? frame : trimmed(main);
}
