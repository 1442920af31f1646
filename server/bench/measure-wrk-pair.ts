import type { SideName } from '../../shared/base/transport.ts';
import type { Listener } from '../../shared/target/target.ts';
import { planPlacement } from '../base/addresses/plan-placement.ts';
import { pinToCores, readAllowedCores } from '../base/process/pin-to-cores.ts';
import { readProcessStat, tickUs } from '../base/process/process-stat.ts';
import { ProcessTree } from '../base/process/process-tree.ts';
import type { OpenTarget } from '../targets/open-target.ts';
import { loadByWrk } from './wrk.ts';

export const repeatMetrics = ['cpu_at_load', 'throughput', 'latency_p50'] as const;
export type RepeatMetric = (typeof repeatMetrics)[number];

/** One window on each side, one after the other. */
type WindowPair = Record<SideName, Record<RepeatMetric, number>>;

type WrkPlan = {
  path: string;
  connections: number;
  /** Of both windows and both warm-ups together. */
  seconds: number;
  /** Of each side; a server that compiles needs one. */
  warmUpS: number;
  signal: AbortSignal;
};

/**
 * wrk as it is used by hand: one long window on the baseline and then one on the comparison. It is treated well: on a core of its
 * own where there are two, and CPU is the kernel's own count of the server's tree.
 */
export async function measureWrkPair(
  { listeners, ours }: Pick<OpenTarget<SideName>, 'listeners' | 'ours'>,
  { seconds, warmUpS, ...plan }: WrkPlan,
): Promise<WindowPair> {
  const windowS = Math.max(1, Math.floor(seconds / 2 - warmUpS));
  const placement = planPlacement(readAllowedCores(), 1);
  const roots = [listeners.baseline, listeners.comparison].flatMap(({ pid }) => pid ?? []);
  if (ours && placement !== null) await pinToCores(roots, placement.target);
  const [core] = placement?.generator ?? [];
  const order = { ...plan, ...(core === undefined ? {} : { core }) };
  for (const listener of [listeners.baseline, listeners.comparison]) {
    if (warmUpS > 0) await load(listener, { ...order, seconds: warmUpS });
  }
  return {
    baseline: await load(listeners.baseline, { ...order, seconds: windowS }),
    comparison: await load(listeners.comparison, { ...order, seconds: windowS }),
  };
}

type Order = Omit<WrkPlan, 'warmUpS'> & { core?: number };

async function load(listener: Listener, order: Order): Promise<WindowPair['baseline']> {
  const stat = listener.pid === null ? null : readProcessStat(listener.pid);
  if (listener.pid === null || stat === null) {
    throw new Error('The process of the server is not known, so its CPU is not either.');
  }
  const tree = new ProcessTree({ pid: listener.pid, stat });
  const before = ticksOf(tree);
  const { requests, perS, medianUs } = await loadByWrk({ ...order, listener });
  const cpuUs = (ticksOf(tree) - before) * tickUs;
  return { cpu_at_load: cpuUs / requests, latency_p50: medianUs, throughput: perS };
}

function ticksOf(tree: ProcessTree): number {
  return tree.list().reduce((sum, { stat }) => sum + stat.ownTicks + stat.childTicks, 0);
}
