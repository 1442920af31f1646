import { sentenceOf } from '../../../../shared/historic/claim.ts';
import { malmgrenClaims } from '../../../../shared/historic/malmgren-claims.ts';
import type { ServersDocument } from '../../../../shared/kinds/servers/servers-result.ts';
import { alignColumns, textOf } from '../../../base/text/terminal-parts.ts';
import { cellRows } from './cell-rows.ts';

/** A sweep over servers for a terminal: what matters most, then every cell. Ends with a line feed. */
export function printServersTable(document: ServersDocument): string {
  const { ranking, warnings } = document;
  const claims = malmgrenClaims(document).map((claim) => `2011: ${sentenceOf(claim)}`);
  const paragraphs = [ranking, claims, alignColumns(cellRows(document), 'lrrlrrl'), warnings].filter(
    ({ length }) => length > 0,
  );
  return textOf(paragraphs.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])));
}
