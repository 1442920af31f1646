import type { Environment } from '../../shared/environment.ts';
import { describePlacement, type Placement } from '../../shared/placement.ts';

/** Pieces of a document in Markdown (CommonMark and tables). */

/** First column to the left, the others to the right. */
export function tableOf(header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(plainly).join(' | ')} |`;
  const rule = `|${header.map((_, column) => (column === 0 ? ' --- ' : ' ---: ')).join('|')}|`;
  return [line(header), rule, ...rows.map(line)].join('\n');
}

export function listOf(lines: string[]): string {
  return lines.map((line) => `- ${plainly(line)}`).join('\n');
}

/** Text that stays text: no emphasis, link, HTML or cell border, and all on one line. */
export function plainly(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|#~]/g, '\\$&')
    .replace(/\p{Cc}/gu, '\ufffd');
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
