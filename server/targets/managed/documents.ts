/** HTML of exactly this size; where that is too small for a page, its beginning. ASCII, so one character is one byte. */
export function documentOf(bytes: number): string {
  const head = `<!doctype html>\n<html lang="en">\n<title>${bytes} bytes</title>\n<p>`;
  const end = '</p>\n</html>\n';
  const space = bytes - head.length - end.length;
  if (space < 0) return head.slice(0, bytes).padEnd(bytes, ' ');
  return `${head}${filler.repeat(Math.ceil(space / filler.length)).slice(0, space)}${end}`;
}

const filler = 'The quick brown fox jumps over the lazy dog, and the lazy dog does not mind. ';
