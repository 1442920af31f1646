import { escapeMarkup } from './escape-markup.ts';

export type Badge = { label: string; message: string; tone: 'plain' | 'good' | 'costly' };

/** White on these has a contrast of 4.5 and more. */
const fills: Record<Badge['tone'], string> = { plain: '#4b5563', good: '#1a7f37', costly: '#8a4600' };
const labelFill = '#24292f';
const heightPx = 20;
const paddingPx = 6;
/** Of a letter of 11 px in the fonts below, on average; the text is stretched to what is reckoned. */
const letterPx = 6.2;

/** A small picture in SVG for a README: what was looked at, and what was found. */
export function printBadge({ label, message, tone }: Badge): string {
  const left = widthOf(label);
  const right = widthOf(message);
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

function widthOf(words: string): number {
  return Math.round([...words].length * letterPx) + 2 * paddingPx;
}
