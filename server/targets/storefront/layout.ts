import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Category } from './catalogue.ts';
import { categories } from './catalogue-words.ts';

export const parcelIcon = icon(
  'parcel',
  '<path d="M3 7.5 12 3l9 4.5v9L12 21l-9-4.5z"/><path d="M3 7.5 12 12l9-4.5M12 12v9M7.5 5.25l9 4.5"/>',
);

export const basketIcon = icon(
  'basket',
  '<path d="M3 10h18l-2 10H5z"/><path d="M8 10l3-6M16 10l-3-6M9 13v4M12 13v4M15 13v4"/>',
);

export const clockIcon = icon('clock', '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>');

const star = 'M12 2.6l2.9 6.1 6.7.9-4.9 4.6 1.2 6.7-5.9-3.2-5.9 3.2 1.2-6.7L2.4 9.6l6.7-.9z';

/** Five stars, so many of them filled; drawn once for each number. */
const rows = [0, 1, 2, 3, 4, 5].map((filled) =>
  Array.from({ length: 5 }, (_, place) =>
    icon(place < filled ? 'star is-filled' : 'star', `<path d="${star}"/>`),
  ).join(''),
);

export function renderStars(filled: number): string {
  return rows[filled] ?? '';
}

function icon(name: string, shapes: string): string {
  return `<svg class="icon ${name}" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">${shapes}</svg>`;
}

type Page = {
  /** Plain text. */
  title: string;
  categories: readonly Category[];
  /** HTML. */
  content: string;
};

/**
 * The frame of every page. Nothing in it tells the time, the host or the transport: the same request gets the
 * same bytes from every process.
 */
export function renderLayout({ title, categories, content }: Page): string {
  return `${head(escapeHtml(title))}
<div class="columns">
<nav class="menu" aria-label="Departments">
<h2>Departments</h2>
<ul>
${categories.map(menuEntry).join('\n')}
</ul>
</nav>
<main id="content">
${content}
</main>
</div>
${foot}`;
}

function head(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Quiet Street Supplies</title>
<meta name="description" content="Quiet Street Supplies: everything for people who would rather not be noticed.">
<link rel="icon" type="image/svg+xml" href="/assets/favicon.svg">
<link rel="stylesheet" href="/assets/site.css">
<script src="/assets/offers.js" defer></script>
<script src="/assets/site.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the goods</a>
<header class="top">
<a class="brand" href="/"><img src="/assets/logo.svg" alt="Quiet Street Supplies" width="180" height="40"></a>
<p class="offer" id="offer">Free delivery from 50.00 on.</p>
<ul class="tabs">
<li><a href="/">Home</a></li>
<li><a href="/search">Search</a></li>
<li><a href="/account">Your account</a></li>
</ul>
</header>`;
}

function menuEntry({ id, name, product_count: count }: Category): string {
  return `<li><a href="/search?category=${id}"><img src="/assets/category-${id}.svg" alt="" width="24" height="24">
<span class="menu-name">${escapeHtml(name)}</span> <span class="menu-count" title="Products in this department">${count}</span></a></li>`;
}

const foot = `<footer class="bottom">
<section>
<h2>Delivery</h2>
<p>Parcels leave our house on Quiet Street every working day at four in the afternoon. Small ones arrive the day after,
large ones within three working days, boats by arrangement. Nothing on the outside says what is within.</p>
</section>
<section>
<h2>Returns</h2>
<p>Whatever does not suit you comes back within thirty days, used or not, and we send the money back by the way it came.
We ask for no reason, though a good story is always welcome and the best one of each month is read aloud.</p>
</section>
<section>
<h2>The shop</h2>
<p>Open from nine to six, Monday to Saturday. Ring twice, wait, and ring once more. Dogs are welcome if they can keep a
secret. Prices include tax and are given in the money of the place that the parcel goes to.</p>
</section>
<p class="small">Quiet Street Supplies is a demonstration. Nothing here is for sale and nothing is ever delivered.</p>
</footer>
</body>
</html>
`;

const special = /[&<>"']/g;

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for an element's content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(special, (character) => entities[character] ?? character);
}

/** Everything that is not a page, held in memory: sent whole, with a strong validator. */
export type Asset = {
  body: Buffer;
  type: string;
  cacheControl: string;
  /** Made from the bytes, so that every process sends the same. */
  etag: string;
};

const aDay = 'public, max-age=86400';

/** Stored, and asked about at every visit. */
const askFirst = 'no-cache';

export function loadAssets(): Map<string, Asset> {
  const favicon = picture(drawFavicon());
  return new Map([
    ['/assets/site.css', file('site.css', 'text/css; charset=utf-8', aDay)],
    ['/assets/site.js', file('site.js', 'text/javascript; charset=utf-8', aDay)],
    ['/assets/offers.js', file('offers.js', 'text/javascript; charset=utf-8', askFirst)],
    ['/assets/logo.svg', picture(drawLogo())],
    ['/assets/favicon.svg', favicon],
    ['/favicon.ico', favicon],
    ...categories.map((_, index): [string, Asset] => [
      `/assets/category-${index + 1}.svg`,
      picture(drawCategory(index + 1)),
    ]),
  ]);
}

function file(name: string, type: string, cacheControl: string): Asset {
  return asset(readFileSync(new URL(`./assets/${name}`, import.meta.url)), type, cacheControl);
}

function picture(svg: string): Asset {
  return asset(Buffer.from(svg), 'image/svg+xml', aDay);
}

function asset(body: Buffer, type: string, cacheControl: string): Asset {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  return { body, type, cacheControl, etag: `"${digest}"` };
}

function drawLogo(): string {
  return svg(
    180,
    40,
    `<rect width="180" height="40" rx="4" fill="#28536b"/>
<circle cx="20" cy="20" r="11" fill="none" stroke="#fbfaf6" stroke-width="2"/><path d="M27 27l7 7" stroke="#fbfaf6" stroke-width="3"/>
<text x="44" y="26" font-family="Georgia, serif" font-size="17" fill="#fbfaf6">Quiet Street</text>`,
  );
}

function drawFavicon(): string {
  return svg(
    32,
    32,
    `<rect width="32" height="32" rx="6" fill="#28536b"/><circle cx="14" cy="14" r="7" fill="none" stroke="#fbfaf6" stroke-width="3"/>
<path d="M19 19l8 8" stroke="#fbfaf6" stroke-width="4"/>`,
  );
}

/** A mosaic of tiles whose tints and turns follow from the department's number. */
function drawCategory(number: number): string {
  const hue = (number * 47) % 360;
  const tiles: string[] = [];
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const turn = ((row * column + number * (row + column)) % 4) * 90;
      const light = 35 + ((row * 5 + column * 3 + number * 7) % 9) * 5;
      tiles.push(
        `<path transform="translate(${column * 12} ${row * 12}) rotate(${turn} 6 6)" fill="hsl(${hue} 35% ${light}%)" d="M0 0h12A12 12 0 0 1 0 12z"/>`,
      );
    }
  }
  return svg(96, 96, `<rect width="96" height="96" fill="hsl(${hue} 30% 92%)"/>\n${tiles.join('\n')}`);
}

function svg(width: number, height: number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">\n${content}\n</svg>\n`;
}
