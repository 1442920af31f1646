/** Pieces of Markdown (CommonMark and tables) that the page and the reports share. */

/** First column to the left, the others to the right. Cells are text. */
export function tableOf(header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(plainly).join(' | ')} |`;
  const rule = `|${header.map((_, column) => (column === 0 ? ' --- ' : ' ---: ')).join('|')}|`;
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
