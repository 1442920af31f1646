import type { Category } from '../catalogue.ts';
import { escapeHtml } from './escape-html.ts';

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
