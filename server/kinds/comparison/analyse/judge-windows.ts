import type { WindowOf } from '../../../../shared/kinds/comparison/block.ts';
import { setAside } from '../../../method/statistics/set-aside.ts';

/**
 * The windows of a block, those set aside in which the machine was disturbed, and those in which something failed, such as during a
 * restart of the server's processes: of such a round, no arm counts. Where more than half of them failed it is the target that
 * fails, and the block is left out (`judgeBlock`).
 */
export function judgeWindows<Each extends WindowOf<string>>(windows: readonly Each[]): Each[] {
  const judged = setAside(windows);
  const isLeft = judged.some(({ aside, failed = 0 }) => !aside && failed === 0);
  return judged.map((window) => {
    const { aside, failed = 0 } = window;
    return { ...window, aside: failed > 0 || (aside && isLeft) };
  });
}

/** Whether all failures of a block are in windows that were set aside, and no more than half of the windows are. */
export function canDoWithout(windows: readonly Pick<WindowOf<string>, 'failed'>[]): boolean {
  const failed = windows.filter((window) => window.failed !== undefined).length;
  return failed > 0 && failed <= windows.length / 2;
}

/** What was set aside for failures in a run, in a sentence; null without any. */
export function warningOfFailures(
  blocks: readonly { windows: readonly Pick<WindowOf<string>, 'failed'>[] }[],
): string | null {
  const windows = blocks.flatMap((block) => block.windows);
  const failed = windows.filter((window) => window.failed !== undefined).length;
  return failed === 0
    ? null
    : `Requests failed in ${failed} of ${windows.length} windows, which were set aside for all sides.`;
}
