import { printMoment } from '../../base/moment.ts';
import type { Digest } from './digest.ts';
import { belowHeadline, cellsOf, drawnIntervals, headOf } from './message-parts.ts';

/** A comment in Jira’s wiki markup. Source: jira.atlassian.com, "Text Formatting Notation Help". */
export function asJira(digest: Digest, link: string): string {
  const { headline, compared, setting, measuredAt } = digest;
  const drawn = drawnIntervals(digest);
  const table =
    compared === null
      ? []
      : [
          `||${headOf(digest).map(plainly).join('||')}||`,
          ...compared.cards.map((card) => `|${cellsOf(card).map(plainly).join('|')}|`),
          '',
        ];
  return [
    `h3. ${plainly(headline)}`,
    '',
    ...belowHeadline(digest).flatMap((line) => [plainly(line), '']),
    ...table,
    ...(drawn.length === 0 ? [] : ['{noformat}', ...drawn, '{noformat}', '']),
    `${plainly(setting)}. ${printMoment(measuredAt)}, TLS Toll. [Result|${link}]`,
    '',
  ].join('\n');
}

/** Text that stays text, on one line. Two backslashes would be a line break, so each is an entity, like the dot of `h1.`. */
function plainly(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[{}[\]|*_+^~?!#@-]/g, '\\$&')
    .replace(/\\(?![{}[\]|*_+^~?!#@-])/g, '&#92;')
    .replace(/^( ?(?:h[1-6]|bq))\./, '$1&#46;');
}
