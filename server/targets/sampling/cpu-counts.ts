import { type Arm, arms } from '../../../shared/base/transport.ts';
import type { CpuCheck } from '../../../shared/kinds/comparison/run.ts';
import type { ResourceReading } from './process-sampler.ts';

type Edge = Record<Arm, ResourceReading | null>;

/** Two counts of the same CPU over a launch, from the first reading with nothing in flight to the last. */
export class CpuCounts {
  readonly #treeOf: (arm: Arm) => unknown;
  #first: Edge | null = null;
  #last: Edge | null = null;

  /** @param treeOf the same for arms that share a process tree */
  constructor(treeOf: (arm: Arm) => unknown) {
    this.#treeOf = treeOf;
  }

  note(edge: Edge): Edge {
    this.#first ??= edge;
    this.#last = edge;
    return edge;
  }

  /** Of each tree that was read by two counts. */
  checks(): CpuCheck[] {
    const trees = Map.groupBy(arms, (arm) => this.#treeOf(arm));
    return [...trees.values()].flatMap((sharing) => {
      const [arm] = sharing;
      const [from, to] = arm === undefined ? [] : [this.#first?.[arm], this.#last?.[arm]];
      return from == null || to == null ? [] : (checkBetween(sharing, from, to) ?? []);
    });
  }
}

function checkBetween(sharing: Arm[], from: ResourceReading, to: ResourceReading): CpuCheck | null {
  if (from.cpuTickUs === null || to.cpuTickUs === null) return null;
  const childrenUs = (to.cpuChildrenUs ?? 0) - (from.cpuChildrenUs ?? 0);
  return {
    arms: sharing,
    clockUs: Math.round(to.cpuUs - from.cpuUs - childrenUs),
    childrenUs: Math.round(childrenUs),
    tickUs: Math.round(to.cpuTickUs - from.cpuTickUs),
    processes: Math.max(from.processes, to.processes),
    ...(to.unwaited === undefined ? {} : { unwaited: to.unwaited }),
    ...(to.noClock === undefined ? {} : { noClock: to.noClock }),
  };
}
