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
