/** Text in lines of a width, for a drawing that cannot measure it. */

/** Of Inter in its bold weight, in em, rounded up. */
const widths: readonly [letters: RegExp, em: number][] = [
  [/[ ijlI]/, 0.28],
  [/[.,:;'’!|·]/, 0.35],
  [/[tf()[\]/\\]/, 0.4],
  [/[r1]/, 0.43],
  [/[-–_{}"*?]/, 0.56],
  [/[a-z]/, 0.63],
  [/[02-9BEFJLPRSTZ+−µ#&<=>]/, 0.68],
  [/[A-Z]/, 0.78],
  [/[%@—…]/, 1.04],
  [/\p{Mark}/u, 0],
  [/[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60\p{Extended_Pictographic}]/u, 1.1],
];
/** Of letters that are wider than their like. */
const wide: Record<string, number> = { w: 0.86, m: 0.92, M: 0.94, W: 1.04 };
const usualEm = 0.9;

/** In the unit of the size. */
export function widthOf(text: string, size: number): number {
  return size * [...text].reduce((sum, letter) => sum + emOf(letter), 0);
}

function emOf(letter: string): number {
  return wide[letter] ?? widths.find(([letters]) => letters.test(letter))?.[1] ?? usualEm;
}

/** Lines of words, no wider than `width`; what has no room ends with an ellipsis. */
export function linesOf(text: string, size: number, width: number, most: number): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const lines: string[] = [];
  let line = '';
  for (const word of words.flatMap((each) => piecesOf(each, size, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer, size) <= width) {
      line = longer;
    } else {
      lines.push(line);
      line = word;
    }
  }
  if (line !== '') lines.push(line);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), cut(lines.slice(most - 1).join(' '), size, width)];
}

/** As much of a text as has room, with an ellipsis if that is not all. */
export function cut(text: string, size: number, width: number): string {
  const room = width - widthOf('…', size);
  let used = 0;
  let fitting = '';
  for (const letter of text) {
    used += widthOf(letter, size);
    if (used <= room) fitting += letter;
    if (used > width) return `${fitting.trimEnd()}…`;
  }
  return text;
}

/** The first of some sizes in which a text needs no more than `width`; else the last. */
export function sizeFor(text: string, sizes: readonly [number, ...number[]], width: number): number {
  return sizes.find((size) => widthOf(text, size) <= width) ?? (sizes.at(-1) as number);
}

/** A word that is wider than a line, in pieces that are not. */
function piecesOf(word: string, size: number, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const letter of word) {
    const more = widthOf(letter, size);
    if (piece !== '' && used + more > width) {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += letter;
    used += more;
  }
  return [...pieces, piece];
}
