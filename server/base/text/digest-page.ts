import { printMoment } from '../../../shared/base/moment.ts';
import { headlineInOneLine } from '../../../shared/measurement/measurement.ts';
import type { Compared, Digest, DigestCard } from '../../../shared/words/digest.ts';
import { belowHeadline } from '../../../shared/words/message.ts';
import { escapeMarkup } from './digest-picture.ts';

/**
 * The top of a result in plain HTML: for a frame in another page, and for who opens a file without JavaScript.
 * @param link of the result; null where it leads nowhere
 */
export function printDigest(digest: Digest, link: string | null): string {
  const { headline, compared, setting, measuredAt } = digest;
  const title = escapeMarkup(headline.title);
  const heading =
    link === null ? title : `<a href="${escapeMarkup(link)}" target="_blank" rel="noopener">${title}</a>`;
  return [
    `<style>${style}</style>`,
    '<div class="digest">',
    `<h1>${heading}</h1>`,
    ...belowHeadline(digest).map((line) => `<p>${escapeMarkup(line)}</p>`),
    ...(compared === null ? [] : [printCards(compared)]),
    `<p class="soft">${escapeMarkup(setting)}. ${printMoment(measuredAt)}, TLS Toll.</p>`,
    '</div>',
  ].join('\n');
}

export function printDigestPage(digest: Digest, link: string): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8" />',
    '<meta name="viewport" content="width=device-width, initial-scale=1" />',
    '<meta name="color-scheme" content="light dark" />',
    `<title>${escapeMarkup(headlineInOneLine(digest.headline))} · TLS Toll</title>`,
    '</head>',
    '<body>',
    '<main>',
    printDigest(digest, link),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function printCards({ sides, cards }: Compared): string {
  return `<ul>\n${cards.map((card) => printCard(card, sides)).join('\n')}\n</ul>`;
}

function printCard(
  { title, change, range, real, word, baseline, comparison }: DigestCard,
  sides: Compared['sides'],
): string {
  const amount = `<strong${real ? ' class="real"' : ''}>${escapeMarkup(change)}</strong>`;
  return [
    `<li><h2>${escapeMarkup(title)}</h2>`,
    `<p>${amount} <span class="soft">${escapeMarkup(range)}</span></p>`,
    `<p class="soft">${escapeMarkup(`${sides.baseline} ${baseline}, ${sides.comparison} ${comparison}: ${word}`)}</p></li>`,
  ].join('\n');
}

/** The colors are those of the dashboard, which the page follows into the dark. */
const style = `
:root { color-scheme: light dark; }
body { margin: 0; }
.digest {
  display: grid;
  gap: 0.75rem;
  max-width: 60rem;
  padding: 1rem;
  color: light-dark(#1b1f24, #eceae6);
  background: light-dark(#faf9f7, #131519);
  font: 1rem/1.45 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
.digest :is(h1, h2, p, ul) { margin: 0; padding: 0; }
.digest h1 { font-size: 1.375rem; line-height: 1.25; }
.digest h1 + p { font-size: 1.0625rem; font-weight: 600; }
.digest h2 { font-size: 0.9375rem; }
.digest a { color: inherit; }
.digest ul {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr));
  gap: 0.75rem;
  list-style: none;
}
.digest li {
  display: grid;
  gap: 0.25rem;
  align-content: start;
  padding: 0.75rem 1rem;
  border: 1px solid light-dark(#e3e0da, #2e333a);
  border-radius: 10px;
  background: light-dark(#ffffff, #1a1d22);
}
.digest .real { font-size: 1.5rem; }
.digest .soft { color: light-dark(#565c64, #a9aeb6); font-size: 0.875rem; }
`;

/** A result's part of the page that is built by `vite.file.config.ts`. */
type FilePart = {
  /** Plain text. */
  title: string;
  /** HTML, for who has no JavaScript. */
  summary: string;
  /** The document and what is written on it, as gzip in Base64: nothing in it can end a script or be markup. */
  result: string;
};

/** @param template with `%title%`, `%summary%` and `%result%`, each once */
export function fillPage(template: string, { title, summary, result }: FilePart): string {
  const parts: Record<string, string> = { title: `${escapeMarkup(title)} · TLS Toll`, summary, result };
  // In one pass: what a part holds is no mark, whatever it looks like.
  return template.replace(/%(title|summary|result)%/g, (_mark, name: string) => parts[name] ?? '');
}

/** The policy that the page states itself, for the header that must allow the same. Null where it states none. */
export function policyOf(template: string): string | null {
  return /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(template)?.[1] ?? null;
}
