import { printMoment } from '../base/moment.ts';
import { printChange, shiftAxis } from '../base/quantity.ts';
import type { Estimate } from '../base/units.ts';
import type { Digest, DigestCard } from './digest.ts';

/** Parts of messages in every markup. */

/** Paragraphs below the title. */
export function belowHeadline({
  headline: { second, third },
  differences,
  evidence,
  caution,
}: Digest): string[] {
  return [second, third, differences, evidence, caution].flatMap((line) => line || []);
}

function headOf({ compared }: Digest): string[] {
  const { baseline = '', comparison = '' } = compared?.sides ?? {};
  return ['Metric', baseline, comparison, 'Change', compared?.ci ?? '', 'Outcome'];
}

/** Only a change that is real stands apart from its interval. */
function cellsOf({ title, baseline, comparison, change, range, real, word }: DigestCard): string[] {
  const [amount, interval] = real ? [change, range] : ['–', change];
  return [title, baseline, comparison, amount, interval, word];
}

/** The intervals drawn below each other, each after its metric; empty without any. */
function drawnIntervals({ compared }: Digest): string[] {
  const cards = (compared?.cards ?? []).filter(({ interval }) => interval !== null);
  const strips = stripsOf(cards.map(({ interval }) => interval));
  if (strips === null) return [];
  const rows = cards.map(({ title }, index) => [title, strips.strips[index] ?? '']);
  return [...alignedRows(rows), `Change, ${strips.axis}. │ is no difference, ├─●─┤ the ${compared?.ci}.`];
}

/** For a font of one width, two spaces between columns. */
function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd(),
  );
}

/** Characters of a strip. */
const width = 24;

type Strips = {
  /** One for each interval, such as `··│·······├─●─┤·····`; empty where there is none. */
  strips: readonly string[];
  /** Values at the ends of each strip: `−5.0 % to +25 %`. */
  axis: string;
};

/**
 * Intervals of changes as text in a font of one width, all on one axis, which contains no change (`│`) and the whole first interval. Null
 * without any.
 */
export function stripsOf(intervals: readonly (Estimate | null)[]): Strips | null {
  const [first, ...others] = intervals.filter((interval) => interval !== null);
  const { from, to } = shiftAxis(first === undefined ? [] : [first], others, 0);
  if (from === to) return null;
  const place = (value: number) => Math.round(((value - from) / (to - from)) * (width - 1));
  return {
    strips: intervals.map((interval) => (interval === null ? '' : draw(interval, place))),
    axis: `${printEnd(from)} to ${printEnd(to)}`,
  };
}

function printEnd(change: number): string {
  return change === 0 ? '0' : printChange(1 + change);
}

/** An interval that goes beyond the axis ends in `◄` or `►`. */
function draw({ lo, center, hi }: Estimate, place: (value: number) => number): string {
  const [first, last, zero] = [place(lo), place(hi), place(0)];
  const cells = Array.from({ length: width }, (_, index) => {
    if (index === 0 && first < 0) return '◄';
    if (index === width - 1 && last >= width) return '►';
    if (index === place(center)) return '●';
    if (index === first) return '├';
    if (index === last) return '┤';
    if (index === zero) return first < zero && zero < last ? '┼' : '│';
    return first < index && index < last ? '─' : '·';
  });
  return cells.join('');
}

/** A comment in Jira’s wiki markup. Source: jira.atlassian.com, "Text Formatting Notation Help". */
export function asJira(digest: Digest, link: string): string {
  const { headline, compared, setting, measuredAt } = digest;
  const drawn = drawnIntervals(digest);
  const table =
    compared === null
      ? []
      : [
          `||${headOf(digest).map(plainlyInJira).join('||')}||`,
          ...compared.cards.map((card) => `|${cellsOf(card).map(plainlyInJira).join('|')}|`),
          '',
        ];
  return [
    `h3. ${plainlyInJira(headline.title)}`,
    '',
    ...belowHeadline(digest).flatMap((line) => [plainlyInJira(line), '']),
    ...table,
    ...(drawn.length === 0 ? [] : ['{noformat}', ...drawn, '{noformat}', '']),
    `${plainlyInJira(setting)}. ${printMoment(measuredAt)}, TLS Toll. [Result|${link}]`,
    '',
  ].join('\n');
}

/** Text that stays text, on one line. Two backslashes would be a line break, so each is an entity, like the dot of `h1.`. */
function plainlyInJira(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[{}[\]|*_+^~?!#@-]/g, '\\$&')
    .replace(/\\(?![{}[\]|*_+^~?!#@-])/g, '&#92;')
    .replace(/^( ?(?:h[1-6]|bq))\./, '$1&#46;');
}

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
    `*${inBlock(headline.title)}*`,
    ...belowHeadline(digest).map(inBlock),
    '```',
    ...block.map(inBlock),
    '```',
    `${printMoment(measuredAt)}, TLS Toll: ${link}`,
    '',
  ].join('\n');
}

/** Replaces characters that would end the block, or notify people where a program forwards the message, by ones that look the same. */
function inBlock(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, (space) => ' '.repeat([...space].length))
    .replaceAll('`', 'ˋ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›');
}

/** Pieces of Markdown (CommonMark and tables) that the page and the reports share. */

/** Cells are text. Left out, the first column stands to the left and the others to the right. */
export function tableOf(header: string[], rows: string[][], sides?: readonly ('left' | 'right')[]): string {
  const line = (cells: string[]) => `| ${cells.map(plainly).join(' | ')} |`;
  const isLeft = (column: number) => (sides === undefined ? column === 0 : sides[column] === 'left');
  const rule = `|${header.map((_, column) => (isLeft(column) ? ' --- ' : ' ---: ')).join('|')}|`;
  return [line(header), rule, ...rows.map(line)].join('\n');
}

/** Text that stays text: no emphasis, link, HTML, entity, list, underline of a heading or cell border, and all on one line. */
export function plainly(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|#~]|&(?=\w+;)/g, '\\$&')
    .replace(/^ ?(?:\d{1,9}(?=[.)](?: |$))|(?=[-+=](?:[-=\s]|$)))/, '$&\\')
    .replace(/\p{Cc}/gu, '\ufffd');
}

/** The same for a comment: a name with an @ calls nobody. */
export function quietly(text: string): string {
  return plainly(text).replaceAll('@', '@\u200b');
}

/**
 * A comment for a pull request: GitHub and GitLab draw the table, and the intervals in a font of one width.
 * @param link of the result; null where there is none that others could open
 */
export function asMarkdown(digest: Digest, link: string | null): string {
  const { headline, compared, setting, measuredAt } = digest;
  const drawn = drawnIntervals(digest);
  const parts = [
    `### ${quietly(headline.title)}`,
    ...belowHeadline(digest).map(quietly),
    ...(compared === null ? [] : [tableOf(headOf(digest), compared.cards.map(cellsOf))]),
    ...(drawn.length === 0 ? [] : [['```text', ...drawn, '```'].join('\n')]),
    `${quietly(setting)}. ${printMoment(measuredAt)}, TLS Toll.${link === null ? '' : ` [Result](<${link}>)`}`,
  ];
  return `${parts.join('\n\n')}\n`;
}
