import { printMoment } from '../../../shared/base/moment.ts';
import { type SideLooks, sideColors } from '../../../shared/base/side-looks.ts';
import { sideNames } from '../../../shared/base/transport.ts';
import type { Compared, Digest, DigestCard } from '../../../shared/words/digest.ts';

/** In pixels, as chats show it (ogp.me). */
export const pictureSize = { width: 1200, height: 630 };

/** Light with an edge, so that it stands out from a light chat and from a dark one. */
const colors = {
  page: '#faf9f7',
  surface: '#ffffff',
  edge: '#c9c5bd',
  line: '#e3e0da',
  ink: '#1b1f24',
  soft: '#565c64',
};

const margin = 60;
const room = pictureSize.width - 2 * margin;

/** The top of a result as SVG, for what is shown of a link to it. Its font is Inter, in 400 and 700. */
export function drawDigest({ headline, evidence, compared, setting, measuredAt }: Digest): string {
  const { width, height } = pictureSize;
  const { title, second, third } = headline;
  const heading = fitHeadline(title, compared === null ? 4 : 2);
  const top = 156;
  const secondY = top + (heading.lines.length - 1) * heading.size * 1.16 + 44;
  const below = third ?? evidence;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Inter">`,
    `<rect width="${width}" height="${height}" fill="${colors.page}"/>`,
    `<rect x="2" y="2" width="${width - 4}" height="${height - 4}" fill="none" stroke="${colors.edge}" stroke-width="4"/>`,
    drawLogo(margin, 48),
    text('TLS Toll', { x: margin + 58, y: 82, size: 30, bold: true }),
    text(printMoment(measuredAt), { x: width - margin, y: 82, size: 24, fill: colors.soft, end: true }),
    ...heading.lines.map((line, index) =>
      text(line, { x: margin, y: top + index * heading.size * 1.16, size: heading.size, bold: true }),
    ),
    ...(second === '' ? [] : [fitted(second, [34, 30, 26, 22], room, { x: margin, y: secondY, bold: true })]),
    ...(below === null ? [] : drawClauses(below, secondY + 34)),
    ...(compared === null ? [] : drawCards(compared)),
    fitted(setting, [24, 21, 18], room, { x: margin, y: height - 38, fill: colors.soft }),
    '</svg>',
  ].join('\n');
}

/** On one line if it fits, otherwise on two, without the last clauses if they have no room. */
function drawClauses(line: string, y: number): string[] {
  const size = sizeFor(line, [24, 22], room);
  const clauses = line.split('; ');
  while (clauses.length > 1 && wrapText(clauses.join('; '), size, room, 3).length > 2) clauses.pop();
  return wrapText(clauses.join('; '), size, room, 2).map((line, index) =>
    text(line, { x: margin, y: y + index * size * 1.25, size, fill: colors.soft }),
  );
}

/** The headline in the largest size that fits: on one line if that can still be large, otherwise on several. */
function fitHeadline(headline: string, most: number): { lines: string[]; size: number } {
  const tries = [
    ...[66, 60, 55].map((size) => ({ size, rows: 1 })),
    ...[66, 56, 48].map((size) => ({ size, rows: most })),
  ];
  for (const { size, rows } of tries) {
    const lines = wrapText(headline, size, room, rows + 1);
    if (lines.length <= rows) return { lines, size };
  }
  return { lines: wrapText(headline, 44, room, most), size: 44 };
}

const gap = 24;
const cardTop = 350;
const cardHeight = 206;

function drawCards({ cards, ...compared }: Compared): string[] {
  const shown = cards.slice(0, 3);
  const width = (room - gap * (shown.length - 1)) / Math.max(1, shown.length);
  return shown.map((card, index) => drawCard(card, compared, margin + index * (width + gap), width));
}

function drawCard(
  card: DigestCard,
  { sides, looks }: Omit<Compared, 'cards'>,
  left: number,
  width: number,
): string {
  const x = left + 24;
  const inner = width - 48;
  return [
    `<rect x="${left}" y="${cardTop}" width="${width}" height="${cardHeight}" rx="14" fill="${colors.surface}" stroke="${colors.line}" stroke-width="2"/>`,
    fitted(card.title, [23, 21, 19, 17, 15, 14], inner, { x, y: cardTop + 40, bold: true }),
    fitted(card.change, card.real ? [48, 40, 32] : [32, 28, 24], inner, { x, y: cardTop + 94, bold: true }),
    fitted(saidBeside(card), valueSizes, inner, { x, y: cardTop + 126, fill: colors.soft }),
    ...sideNames.flatMap((side, row) => {
      const y = cardTop + 153 + 29 * row;
      return [
        drawMark(looks[side], x + 8, y),
        drawValue(sides[side], card[side], inner - 28, { x: x + 28, y: y + 8 }),
      ];
    }),
  ].join('\n');
}

function drawMark({ tone, marker }: SideLooks, x: number, y: number): string {
  return marker === 'circle'
    ? `<circle cx="${x}" cy="${y}" r="8" fill="${sideColors[tone]}"/>`
    : `<path d="M${x} ${y - 10}l10 10-10 10-10-10Z" fill="${sideColors[tone]}"/>`;
}

/** A name without room is cut; a value only where it has none even alone. */
function drawValue(name: string, value: string, width: number, at: { x: number; y: number }): string {
  const size = sizeFor(`${name} ${value}`, valueSizes, width);
  const kept = cut(name, size, width - widthOf(` ${value}`, size));
  return text(cut(`${kept} ${value}`, size, width), { ...at, size });
}

/** The interval of a change that is real; of any other what it was found to be. */
function saidBeside({ real, range, word }: DigestCard): string {
  return real || range === '' ? range || word : `${range}, ${word}`;
}

/** The logo of `public/favicon.svg`. */
function drawLogo(x: number, y: number): string {
  return [
    `<g transform="translate(${x} ${y}) scale(1.375)"><rect width="32" height="32" rx="7" fill="${colors.ink}"/>`,
    '<path d="M6 11.5h20" stroke="#4aa3d8" stroke-width="4" stroke-linecap="round"/>',
    '<path d="M6 20.5h20" stroke="#ee7d2b" stroke-width="4" stroke-linecap="round" stroke-dasharray="5 7.5"/></g>',
  ].join('');
}

type Sizes = readonly [number, ...number[]];
const valueSizes: Sizes = [22, 20, 18, 16];

/** In the largest of some sizes that has room; what has none in the last ends with an ellipsis. */
function fitted(words: string, sizes: Sizes, width: number, written: Omit<Written, 'size'>): string {
  const size = sizeFor(words, sizes, width);
  return text(cut(words, size, width), { ...written, size });
}

type Written = { x: number; y: number; size: number; bold?: boolean; fill?: string; end?: boolean };

function text(words: string, { x, y, size, bold = false, fill = colors.ink, end = false }: Written): string {
  const anchor = end ? ' text-anchor="end"' : '';
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${bold ? 700 : 400}" fill="${fill}"${anchor}>${escapeMarkup(words)}</text>`;
}

/** Text in lines of a width, for a drawing that cannot measure it. */

/** Widths of letters in bold Inter, in em, rounded up. */
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
/** Letters that are wider than others of their class. */
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
export function wrapText(text: string, size: number, width: number, most: number): string[] {
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

/** Cuts a text to a width, with an ellipsis if it does not fit. */
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
function sizeFor(text: string, sizes: readonly [number, ...number[]], width: number): number {
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

export type Badge = { label: string; message: string; tone: 'plain' | 'good' | 'costly' };

/** White on these has a contrast of 4.5 and more. */
const fills: Record<Badge['tone'], string> = { plain: '#4b5563', good: '#1a7f37', costly: '#8a4600' };
const labelFill = '#24292f';
const heightPx = 20;
const paddingPx = 6;
/** Average width of a letter of 11 px in the fonts below; the text is stretched to the computed width. */
const letterPx = 6.2;

/** A small picture in SVG for a README: what was looked at, and what was found. */
export function printBadge({ label, message, tone }: Badge): string {
  const left = widthOfBadge(label);
  const right = widthOfBadge(message);
  const text = (words: string, x: number, width: number) =>
    `<text x="${x + paddingPx}" y="14" textLength="${width - 2 * paddingPx}" lengthAdjust="spacingAndGlyphs">${escapeMarkup(words)}</text>`;
  const said = escapeMarkup(`${label}: ${message}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${heightPx}" role="img" aria-label="${said}">`,
    `<title>${said}</title>`,
    `<rect width="${left + right}" height="${heightPx}" rx="3" fill="${fills[tone]}"/>`,
    `<path d="M3 0h${left - 3}v${heightPx}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="${labelFill}"/>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">${text(label, 0, left)}${text(message, left, right)}</g>`,
    '</svg>',
    '',
  ].join('\n');
}

function widthOfBadge(words: string): number {
  return Math.round([...words].length * letterPx) + 2 * paddingPx;
}

/**
 * Text for HTML or XML, in an element or a quoted attribute. Of what XML forbids, control characters are left out, and lone
 * surrogates, U+FFFE, and U+FFFF are replaced. Source: XML 1.0, 2.2.
 */
export function escapeMarkup(text: string): string {
  const plain = [...text.toWellFormed()].filter((character) => character >= ' ').join('');
  return plain
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
