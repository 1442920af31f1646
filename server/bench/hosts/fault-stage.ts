import { setTimeout as pause } from 'node:timers/promises';
import { readProcessStat } from '../../base/process/process-stat.ts';
import { ProcessTree } from '../../base/process/process-tree.ts';
import type { HostsInTest } from '../../testing/hosts-in-test.ts';

/** A target that is loaded from two hosts, of which the second one meets with something. */
export type FaultStage = { hosts: HostsInTest; directory: string };

/** Within 2 s, no process generates. */
export async function untilGone({ generators }: HostsInTest): Promise<string> {
  const left = () =>
    generators.reduce((sum, { host }) => {
      const all = host.run('ps', '-e', '-o', 'args').match(/load\/generator\.ts/g);
      return sum + (all?.length ?? 0);
    }, 0);
  const late = performance.now() + 2000;
  while (left() > 0 && performance.now() < late) await pause(100);
  return `${left()} processes left`;
}

export function treeOf(pid: number | undefined): number[] {
  const stat = readProcessStat(pid ?? 0);
  if (pid === undefined || stat === null) throw new Error('The generator has gone.');
  return new ProcessTree({ pid, stat }).list().map((each) => each.pid);
}
