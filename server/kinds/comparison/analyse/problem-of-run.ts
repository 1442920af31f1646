import type { ProblemCode } from '../../../../shared/base/problem-catalogue.ts';
import { printShare } from '../../../../shared/base/quantity.ts';
import type { Block, DropReasonCode } from '../../../../shared/kinds/comparison/block.ts';
import { dropCause } from '../../../../shared/words/drop-advice.ts';
import { isKept } from './metric-blocks.ts';

/** Above this share of blocks that cannot be compared at all, the rest is not to be trusted either. */
const mostDropped = 0.4;
/** Above this share the run is warned of. */
const manyDropped = 0.2;

/** Why a whole run is refused; null when it stands. */
export function problemOfRun(blocks: readonly Block[]): { code: ProblemCode; detail: string } | null {
  const dropped = blocks.filter((block) => !isKept(block));
  if (dropped.length <= blocks.length * mostDropped) return null;
  const most = commonest(dropped);
  return {
    code: most === null ? 'too_disturbed' : (codes[most] ?? 'too_disturbed'),
    detail: `${dropped.length} of ${blocks.length} blocks were left out (at most ${printShare(mostDropped)} may be), most of them because ${most === null ? 'of unknown causes' : dropCause[most]}.`,
  };
}

export function warningOfRun(blocks: readonly Block[]): string | null {
  const dropped = blocks.filter((block) => !isKept(block));
  const share = dropped.length / Math.max(1, blocks.length);
  if (share <= manyDropped || share > mostDropped) return null;
  const most = commonest(dropped);
  return `${dropped.length} of ${blocks.length} blocks were left out, most of them because ${most === null ? 'of unknown causes' : dropCause[most]}.`;
}

const codes: Partial<Record<DropReasonCode, ProblemCode>> = {
  errors: 'target_errors',
  ports_exhausted: 'too_many_connections',
};

function commonest(dropped: readonly Block[]): DropReasonCode | null {
  const counts = new Map<DropReasonCode, number>();
  for (const { code, spoils } of dropped.flatMap((block) => block.reasons)) {
    if (spoils === 'all') counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}
