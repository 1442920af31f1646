import type { CpuCheck, Throttling } from '../../../shared/kinds/comparison/run.ts';
import type { ResourceReading } from './process-sampler.ts';

/** As a run keeps it. */
export type CpuCheckOf<Name extends string> = Omit<CpuCheck, 'arms'> & { arms: Name[] };

type Edge<Name extends string> = Record<Name, ResourceReading | null>;

/** Two counts of the same CPU over a launch, from the first reading with nothing in flight to the last. */
export class CpuCounts<Name extends string> {
  readonly #arms: readonly Name[];
  readonly #treeOf: (arm: Name) => unknown;
  #first: Edge<Name> | null = null;
  #last: Edge<Name> | null = null;

  /** @param treeOf the same for arms that share a process tree */
  constructor(arms: readonly Name[], treeOf: (arm: Name) => unknown) {
    this.#arms = arms;
    this.#treeOf = treeOf;
  }

  note(edge: Edge<Name>): Edge<Name> {
    this.#first ??= edge;
    this.#last = edge;
    return edge;
  }

  /** Of each tree that was read by two counts. */
  checks(): CpuCheckOf<Name>[] {
    const trees = Map.groupBy(this.#arms, (arm) => this.#treeOf(arm));
    return [...trees.values()].flatMap((sharing) => {
      const [arm] = sharing;
      const [from, to] = arm === undefined ? [] : [this.#first?.[arm], this.#last?.[arm]];
      return from == null || to == null ? [] : (checkBetween(sharing, from, to) ?? []);
    });
  }
}

function checkBetween<Name extends string>(
  sharing: Name[],
  from: ResourceReading,
  to: ResourceReading,
): CpuCheckOf<Name> | null {
  if (from.cpuTickUs === null || to.cpuTickUs === null) return null;
  const throttling = throttlingBetween(from, to);
  const childrenUs = (to.cpuChildrenUs ?? 0) - (from.cpuChildrenUs ?? 0);
  return {
    arms: sharing,
    clockUs: Math.round(to.cpuUs - from.cpuUs - childrenUs),
    childrenUs: Math.round(childrenUs),
    tickUs: Math.round(to.cpuTickUs - from.cpuTickUs),
    processes: Math.max(from.processes, to.processes),
    ...(to.unwaited === undefined ? {} : { unwaited: to.unwaited }),
    ...(to.noClock === undefined ? {} : { noClock: to.noClock }),
    ...(throttling === null ? {} : { throttling }),
  };
}

/** A group that went with its processes takes its counts along. */
function throttlingBetween(from: ResourceReading, to: ResourceReading): Throttling | null {
  const periods = (to.throttling?.periods ?? 0) - (from.throttling?.periods ?? 0);
  const throttled = (to.throttling?.throttled ?? 0) - (from.throttling?.throttled ?? 0);
  return periods > 0 && throttled > 0 ? { periods, throttled } : null;
}
