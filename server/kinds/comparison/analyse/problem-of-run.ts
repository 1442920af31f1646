import type { ProblemCode } from '../../../../shared/base/problem-catalogue.ts';
import { printShare } from '../../../../shared/base/quantity.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import { dropAdvice, dropCause } from '../../../../shared/words/drop-advice.ts';
import { isKept } from './metric-blocks.ts';

/** Above this share of blocks that cannot be compared at all, the rest is not to be trusted either. */
const mostDropped = 0.4;
/** Above this share the run is warned of. */
const manyDropped = 0.2;

/** Why a whole run is refused; null when it stands. */
export function problemOfRun(
  blocks: readonly Block[],
): { code: ProblemCode; detail: string; advice: string } | null {
  const { share, count, cause } = droppedOf(blocks);
  if (share <= mostDropped) return null;
  return {
    code: cause === 'errors' ? 'target_errors' : 'too_disturbed',
    detail: `${count} were left out (at most ${printShare(mostDropped)} may be), most of them because ${dropCause[cause]}.`,
    advice: dropAdvice[cause],
  };
}

export function warningOfRun(blocks: readonly Block[]): string | null {
  const { share, count, cause } = droppedOf(blocks);
  if (share <= manyDropped || share > mostDropped) return null;
  return `${count} were left out, most of them because ${dropCause[cause]}.`;
}

function droppedOf(blocks: readonly Block[]) {
  const dropped = blocks.filter((block) => !isKept(block));
  const reasons = dropped.flatMap((block) => block.reasons).filter(({ spoils }) => spoils === 'all');
  const causes = [...Map.groupBy(reasons, ({ code }) => code)].toSorted((a, b) => b[1].length - a[1].length);
  return {
    share: dropped.length / Math.max(1, blocks.length),
    count: `${dropped.length} of ${blocks.length} blocks`,
    // Nobody asks where nothing was dropped.
    cause: causes[0]?.[0] ?? 'errors',
  };
}
