import type { Environment } from '../../../shared/base/environment.ts';
import { describePlacement, type Placement } from '../../../shared/kinds/comparison/placement.ts';
import { plainly } from '../../../shared/words/markdown-text.ts';

/** Pieces of a document in Markdown (CommonMark and tables). */

export function listOf(lines: string[]): string {
  return lines.map((line) => `- ${plainly(line)}`).join('\n');
}

/**
 * Where something was measured, in a list.
 * @param placement null where nothing was pinned; left out where there is no target
 */
export function machineOf(
  { cpuModel, cores, kernel, node, openssl, product }: Environment,
  placement?: Placement | null,
): string {
  const pinned = placement === undefined ? [] : [describePlacement(placement)];
  return listOf([
    ...[`${cpuModel}, ${cores} cores`, kernel, `Node ${node}, OpenSSL ${openssl}`, product],
    ...pinned,
  ]);
}
