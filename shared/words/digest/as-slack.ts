import { printMoment } from '../../base/moment.ts';
import type { Digest } from './digest.ts';
import { alignedRows, belowHeadline, cellsOf, drawnIntervals, headOf } from './message-parts.ts';

/**
 * A message for Slack, whose markup (mrkdwn) has no tables: figures stand in a block of one width, where nothing is markup.
 * Source: docs.slack.dev, "Formatting message text".
 */
export function asSlack(digest: Digest, link: string): string {
  const { headline, compared, setting, measuredAt } = digest;
  const table =
    compared === null ? [] : [...alignedRows([headOf(digest), ...compared.cards.map(cellsOf)]), ''];
  const drawn = drawnIntervals(digest);
  const block = [...table, ...drawn, ...(drawn.length === 0 ? [] : ['']), `${setting}.`];
  return [
    `*${inBlock(headline)}*`,
    ...belowHeadline(digest).map(inBlock),
    '```',
    ...block.map(inBlock),
    '```',
    `${printMoment(measuredAt)}, TLS Toll: ${link}`,
    '',
  ].join('\n');
}

/** What would end the block, or call people where a program sends the message on, becomes what looks like it. */
function inBlock(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, (space) => ' '.repeat([...space].length))
    .replaceAll('`', 'ˋ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›');
}
