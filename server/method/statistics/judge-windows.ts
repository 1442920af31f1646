import type { WindowOf } from '../../../shared/kinds/comparison/block.ts';
import { setAside } from './set-aside.ts';

type Failing = Pick<WindowOf<string>, 'failed'>;
type Judged = Failing & Pick<WindowOf<string>, 'elapsedMs' | 'stealRatio' | 'foreignRatio' | 'aside'>;

/**
 * The windows of a block. Those are set aside in which something failed, such as during a reload of the server, as long as they are few: of
 * such a round, no arm counts. Of the others, those in which the machine was disturbed.
 */
export function judgeWindows<Each extends Judged>(windows: readonly Each[]): Each[] {
  const isOut = (window: Each) => hasFailed(window) && canDoWithout(windows);
  const judged = setAside(windows.filter((window) => !isOut(window))).values();
  return windows.map((window) =>
    isOut(window) ? { ...window, aside: true } : (judged.next().value ?? window),
  );
}

/** Whether failures of a block are all in windows that are set aside. Of most of its windows it cannot be said: there it is the target that fails. */
export function canDoWithout(windows: readonly Failing[]): boolean {
  const failed = windows.filter(hasFailed).length;
  return failed > 0 && failed <= windows.length / 2;
}

/** What was set aside for failures in the blocks that count, in a sentence; null without any. */
export function warningOfFailures(
  blocks: readonly { windows: readonly (Failing & { aside: boolean })[] }[],
): string | null {
  const windows = blocks.flatMap((block) => block.windows);
  const failed = windows.filter((window) => window.aside && hasFailed(window)).length;
  return failed === 0
    ? null
    : `Requests failed in ${failed} of ${windows.length} windows, which were set aside for all sides.`;
}

function hasFailed({ failed }: Failing): boolean {
  return failed !== undefined;
}
