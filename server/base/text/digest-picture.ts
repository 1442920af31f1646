import { printMoment } from '../../../shared/base/moment.ts';
import { type SideLooks, sideColors } from '../../../shared/base/side-looks.ts';
import { sideNames } from '../../../shared/base/transport.ts';
import type { Compared, Digest, DigestCard } from '../../../shared/words/digest/digest.ts';
import { escapeMarkup } from './escape-markup.ts';
import { cut, linesOf, sizeFor, widthOf } from './fit-text.ts';

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
  const heading = fitHeadline(headline, compared === null ? 4 : 2);
  const top = 172;
  const evidenceY = top + (heading.lines.length - 1) * heading.size * 1.16 + 50;
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
    ...(evidence === null ? [] : drawEvidence(evidence, evidenceY)),
    ...(compared === null ? [] : drawCards(compared)),
    fitted(setting, [24, 21, 18], room, { x: margin, y: height - 38, fill: colors.soft }),
    '</svg>',
  ].join('\n');
}

/** On one line if it fits, otherwise on two, without the last clauses if they have no room. */
function drawEvidence(evidence: string, y: number): string[] {
  const size = sizeFor(evidence, [28, 24], room);
  const clauses = evidence.split('; ');
  while (clauses.length > 1 && linesOf(clauses.join('; '), size, room, 3).length > 2) clauses.pop();
  return linesOf(clauses.join('; '), size, room, 2).map((line, index) =>
    text(line, { x: margin, y: y + index * size * 1.25, size, fill: colors.soft }),
  );
}

/** As large as it fits: on one line if that can still be large, otherwise on some. */
function fitHeadline(headline: string, most: number): { lines: string[]; size: number } {
  const tries = [
    ...[66, 60, 55].map((size) => ({ size, rows: 1 })),
    ...[66, 56, 48].map((size) => ({ size, rows: most })),
  ];
  for (const { size, rows } of tries) {
    const lines = linesOf(headline, size, room, rows + 1);
    if (lines.length <= rows) return { lines, size };
  }
  return { lines: linesOf(headline, 44, room, most), size: 44 };
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

/** As `public/favicon.svg`. */
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
