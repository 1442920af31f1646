import { printMoment } from '../../base/moment.ts';
import { quietly, tableOf } from '../markdown-text.ts';
import type { Digest } from './digest.ts';
import { belowHeadline, cellsOf, drawnIntervals, headOf } from './message-parts.ts';

/**
 * A comment for a pull request: GitHub and GitLab draw the table, and the intervals in a font of one width.
 * @param link of the result; null where there is none that others could open
 */
export function asMarkdown(digest: Digest, link: string | null): string {
  const { headline, compared, setting, measuredAt } = digest;
  const drawn = drawnIntervals(digest);
  const parts = [
    `### ${quietly(headline)}`,
    ...belowHeadline(digest).map(quietly),
    ...(compared === null ? [] : [tableOf(headOf(digest), compared.cards.map(cellsOf))]),
    ...(drawn.length === 0 ? [] : [['```text', ...drawn, '```'].join('\n')]),
    `${quietly(setting)}. ${printMoment(measuredAt)}, TLS Toll.${link === null ? '' : ` [Result](<${link}>)`}`,
  ];
  return `${parts.join('\n\n')}\n`;
}
