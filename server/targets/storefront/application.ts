import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { printNumber } from '../../../shared/base/quantity.ts';
import { type Category, type Product, parseSearchTerms } from './catalogue.ts';
import { categories } from './catalogue-words.ts';
import { type AccessLog, receive, send } from './exchange.ts';
import {
  type Asset,
  basketIcon,
  clockIcon,
  escapeHtml,
  loadAssets,
  parcelIcon,
  renderLayout,
  renderStars,
} from './layout.ts';
import type { LatestReview, Store } from './store.ts';

const longestQuery = 100;

/** `category` is the id of the one chosen; 0 for all. */
function renderSearchForm(categories: readonly Category[], query: string, category: number): string {
  return `<form class="finder" method="post" action="/search" role="search">
<p><label for="q">Words to look for</label>
<input type="search" id="q" name="q" required maxlength="${longestQuery}" autocomplete="off" value="${escapeHtml(query)}"></p>
<p><label for="category">Department</label>
<select id="category" name="category">
<option value="0"${category === 0 ? ' selected' : ''}>All departments</option>
${categories.map((entry) => option(entry, category)).join('\n')}
</select></p>
<p><button type="submit" class="button">Search</button></p>
</form>`;
}

function option({ id, name, product_count: count }: Category, chosen: number): string {
  return `<option value="${id}"${id === chosen ? ' selected' : ''}>${escapeHtml(name)} (${count})</option>`;
}

/** A page may be kept but is asked for again; what it shows is not for a cache that people share. */
const page = 'private, no-cache';
const sensitive = 'no-store';

const popularOnHome = 16;
const reviewsOnHome = 8;
const popularOnSearch = 10;
const popularInsteadOfNothing = 12;
const ordersOnAccount = 80;
const mostResults = 20;

/** The shop. It knows nothing of the transport that it is served over. */
export function createApplication(store: Store, accessLog: AccessLog): Express {
  const application = express();
  application.disable('x-powered-by');
  application.disable('etag');
  application.set('query parser', 'simple');
  application.enable('strict routing');
  application.enable('case sensitive routing');

  application.use(receive(accessLog));
  application.route('/').get(home(store)).all(only('GET, HEAD'));
  application
    .route('/search')
    .get(searchForm(store))
    .post(express.urlencoded({ extended: false, limit: '4kb', parameterLimit: 10 }), search(store))
    .all(only('GET, HEAD, POST'));
  application.route('/account').get(account(store)).all(only('GET, HEAD'));
  for (const [path, asset] of loadAssets()) {
    application.route(path).get(sendAsset(asset)).all(only('GET, HEAD'));
  }
  application.use((_request, response) => {
    notice(response, 404, 'Not found', 'There is nothing at this address.');
  });
  application.use(failed);
  return application;
}

function home(store: Store): RequestHandler {
  return async (_request, response) => {
    const [categories, popular, reviews] = await Promise.all([
      store.productCategoryList(),
      store.productsMostPopular(popularOnHome),
      store.reviewsLatest(reviewsOnHome),
    ]);
    sendPage(response, renderHomePage(categories, popular, reviews));
  };
}

function searchForm(store: Store): RequestHandler {
  return async (request, response) => {
    const category = categoryOf(request.query.category);
    const [categories, popular] = await Promise.all([
      store.productCategoryList(),
      store.productsMostPopular(popularOnSearch),
    ]);
    sendPage(response, renderSearchPage(categories, popular, category));
  };
}

function search(store: Store): RequestHandler {
  return async (request, response) => {
    const form = parseSearchForm(request.body);
    if ('mistake' in form) {
      notice(response, form.status, 'Search', form.mistake);
      return;
    }
    const [categories, found] = await Promise.all([
      store.productCategoryList(),
      store.productSearch({ ...parseSearchTerms(form.query), category: form.category, limit: mostResults }),
    ]);
    if (found.hits > 0) {
      sendPage(response, renderResultsPage(categories, form, found));
    } else {
      const popular = await store.productsMostPopular(popularInsteadOfNothing);
      sendPage(response, renderNothingFoundPage(categories, form, popular));
    }
  };
}

function account(store: Store): RequestHandler {
  return async (_request, response) => {
    const [categories, ordered] = await Promise.all([
      store.productCategoryList(),
      store.productsMostPopular(ordersOnAccount),
    ]);
    sendPage(response, renderAccountPage(categories, ordered), sensitive);
  };
}

function sendAsset({ body, type, cacheControl, etag }: Asset): RequestHandler {
  return (request, response) => {
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', cacheControl);
    if (request.fresh) send(response, 304, null);
    else send(response, 200, body, { 'Content-Type': type });
  };
}

function only(methods: string): RequestHandler {
  return (request, response) => {
    response.setHeader('Allow', methods);
    notice(response, 405, 'Method not allowed', `This address does not answer to ${request.method}.`);
  };
}

/** Express tells an error handler by its four parameters. */
const failed: ErrorRequestHandler = (error, _request, response, next) => {
  if (response.headersSent) return next(error);
  const status = statusOf(error);
  if (status === 413) return notice(response, 413, 'Too large', 'The form is larger than 4 kB.');
  if (status === 415) return notice(response, 415, 'Not a form', 'The form has to be sent in UTF-8.');
  if (status < 500) return notice(response, 400, 'Bad request', 'The request cannot be understood.');
  console.error(`The storefront failed: ${error instanceof Error ? error.message : String(error)}`);
  return notice(response, 500, 'Closed for a moment', 'The shop cannot read its goods. Try again.');
};

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  return status >= 400 && status < 500 ? status : 500;
}

function notice(response: Response, status: number, title: string, sentence: string): void {
  sendPage(response, renderNoticePage(title, sentence), page, status);
}

function sendPage(response: Response, html: string, cacheControl = page, status = 200): void {
  send(response, status, Buffer.from(html), {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': cacheControl,
  });
}

/** A page that only says something: what is wrong, and where to go from here. */
function renderNoticePage(title: string, sentence: string): string {
  const content = `<h1>${escapeHtml(title)}</h1>
<p class="notice" role="alert">${escapeHtml(sentence)}</p>
<p>Go <a href="/">home</a>, or <a href="/search">search the shop</a>.</p>`;
  return renderLayout({ title, categories: [], content });
}

function renderHomePage(
  categories: readonly Category[],
  popular: readonly Product[],
  reviews: readonly LatestReview[],
): string {
  const content = `<section class="welcome">
<h1>Welcome to Quiet Street</h1>
<p>For eighty years we have equipped people who would rather not be noticed: walkers, bird watchers, novelists, and some
who never told us. Choose a department, or <a href="/search">search all of them</a>.</p>
</section>
<section class="popular" aria-labelledby="popular">
<h2 id="popular">What others carried home</h2>
${popular.map(renderProductCard).join('\n')}
</section>
<section class="reviews" aria-labelledby="reviews">
<h2 id="reviews">What they wrote about it</h2>
${reviews.map(renderReview).join('\n')}
</section>`;
  return renderLayout({ title: 'Home', categories, content });
}

function renderReview(review: LatestReview): string {
  return `<article class="review" id="r${review.id}">
<h3>${escapeHtml(review.headline)}</h3>
<p class="review-about">${escapeHtml(review.author)} on the <a href="/search?category=${review.category_id}">${escapeHtml(review.model_name)}</a>,
<time datetime="${review.written_on}">${review.written_on}</time></p>
<p class="review-stars"><span class="hidden">${review.rating} of 5 stars</span>${renderStars(review.rating)}</p>
<blockquote>${escapeHtml(review.body)}</blockquote>
</article>`;
}

type SearchForm = { query: string; category: number };

const categorySchema = z.coerce
  .number('The department is not one of ours.')
  .int('The department is not one of ours.')
  .min(0, 'The department is not one of ours.')
  .max(categories.length, 'The department is not one of ours.')
  .default(0);

const formSchema = z.object(
  {
    q: z
      .string('Type one word or several to look for.')
      .max(longestQuery, `Type at most ${longestQuery} characters.`)
      .regex(/^\P{Cc}*$/u, 'Type letters and digits only.'),
    category: categorySchema,
  },
  'Send the search form.',
);

/** The fields of a decoded form, or what is wrong with them in a sentence. */
function parseSearchForm(body: unknown): SearchForm | { mistake: string; status: 400 | 415 } {
  if (body === undefined) return { mistake: 'Send the search form.', status: 415 };
  const parsed = formSchema.safeParse(body);
  if (!parsed.success) return { mistake: parsed.error.issues[0]?.message ?? 'Try again.', status: 400 };
  return { query: parsed.data.q, category: parsed.data.category };
}

/** The department that a link asks for; 0, all of them, when it makes no sense. */
function categoryOf(text: unknown): number {
  const parsed = categorySchema.safeParse(text);
  return parsed.success ? parsed.data : 0;
}

/** The sensitive page: a made-up customer's address, card and orders. */
function renderAccountPage(categories: readonly Category[], ordered: readonly Product[]): string {
  const content = `<h1>Your account</h1>
<section class="address" aria-labelledby="address">
<h2 id="address">Address and card</h2>
<dl>
<dt>Name</dt><dd>Harriet Vale</dd>
<dt>Address</dt><dd>Flat 6, 39 Lantern Steps, Port Merrow</dd>
<dt>Card</dt><dd>ending in 0042, valid until 11/09</dd>
<dt>Customer number</dt><dd>400 718 220</dd>
</dl>
</section>
<section class="orders" aria-labelledby="orders">
<h2 id="orders">Orders</h2>
<table>
<thead><tr><th scope="col">Order</th><th scope="col">Product</th><th scope="col">Model</th><th scope="col">Maker</th><th scope="col">Pieces</th><th scope="col">Sum</th><th scope="col">State</th></tr></thead>
<tbody>
${ordered.map(renderOrder).join('\n')}
</tbody>
</table>
</section>`;
  return renderLayout({ title: 'Your account', categories, content });
}

function renderOrder(product: Product, index: number): string {
  const pieces = 1 + (product.id % 3);
  return `<tr class="order" id="order-${50_000 + product.id}">
<td><code>Q-${50_000 + product.id}</code></td>
<td><a href="/search?category=${product.category_id}">${escapeHtml(product.model_name)}</a></td>
<td><code>${escapeHtml(product.model_number)}</code></td>
<td>${escapeHtml(product.manufacturer)}</td>
<td class="number">${pieces}</td>
<td class="number">${printPrice(product.price_cents * pieces)}</td>
<td>${index === 0 ? 'on its way, left our house this morning' : 'delivered and signed for at the door'}</td>
</tr>`;
}

/** The empty form, with what others look for below it. */
function renderSearchPage(
  categories: readonly Category[],
  popular: readonly Product[],
  category: number,
): string {
  const content = `<h1>Search the shop</h1>
${renderSearchForm(categories, '', category)}
<section class="tips" aria-labelledby="tips">
<h2 id="tips">How to find things</h2>
<dl>
<dt>Several words</dt><dd>A product is shown when all of the words are found in its name, its maker or its description.</dd>
<dt>Part of a word</dt><dd>The beginning is enough: <em>bino</em> finds binoculars.</dd>
<dt>Model numbers</dt><dd>Every product has one, such as <code>CA11234</code>; it finds that product and no other.</dd>
</dl>
</section>
<section class="departments" aria-labelledby="departments">
<h2 id="departments">Departments</h2>
${categories.map(renderDepartment).join('\n')}
</section>
${renderPopular(popular)}`;
  return renderLayout({ title: 'Search', categories, content });
}

/** The form as it was sent, and what was found: `products` are the first of `hits`. */
function renderResultsPage(
  categories: readonly Category[],
  sought: { query: string; category: number },
  found: { products: readonly Product[]; hits: number },
): string {
  const { products, hits } = found;
  const count = hits > products.length ? `The ${products.length} most sold of ${hits}` : `${hits}`;
  const content = `<h1>Search results</h1>
${renderSearchForm(categories, sought.query, sought.category)}
<p class="count" role="status">${count} ${hits === 1 ? 'product' : 'products'} found for <q>${escapeHtml(sought.query)}</q>.</p>
<section class="results" aria-label="Products found">
${products.map(renderProductCard).join('\n')}
</section>`;
  return renderLayout({ title: `Search results for ${sought.query}`, categories, content });
}

/** Nothing was found: the form as it was sent, and something else to look at. */
function renderNothingFoundPage(
  categories: readonly Category[],
  sought: { query: string; category: number },
  popular: readonly Product[],
): string {
  const content = `<h1>Search results</h1>
${renderSearchForm(categories, sought.query, sought.category)}
<p class="count" role="status">Nothing was found for <q>${escapeHtml(sought.query)}</q>. Try fewer words, or all departments.</p>
${renderPopular(popular)}`;
  return renderLayout({ title: 'Nothing found', categories, content });
}

function renderDepartment({ id, name, summary, product_count: count }: Category): string {
  return `<article class="department">
<a href="/search?category=${id}"><img src="/assets/category-${id}.svg" alt="" width="48" height="48"></a>
<h3><a href="/search?category=${id}">${escapeHtml(name)}</a></h3>
<p>${escapeHtml(summary)}</p>
<p class="department-count">${count} products, from 4.95 on, most of them in stock.</p>
</article>`;
}

function renderPopular(popular: readonly Product[]): string {
  return `<section class="popular" aria-labelledby="popular">
<h2 id="popular">What others look for</h2>
${popular.map(renderProductCard).join('\n')}
</section>`;
}

function renderProductCard(product: Product): string {
  const id = `p${product.id}`;
  const soldOut = product.stock === 0;
  return `<article class="card" id="${id}" aria-labelledby="${id}-name">
<a class="card-picture" href="/search?category=${product.category_id}"><img src="/assets/category-${product.category_id}.svg" alt="" width="96" height="96"></a>
<div class="card-text">
<h3 class="card-name" id="${id}-name">${escapeHtml(product.model_name)}</h3>
<p class="card-maker">by <span>${escapeHtml(product.manufacturer)}</span>, model <code>${escapeHtml(product.model_number)}</code></p>
<p class="card-description">${escapeHtml(product.description)}</p>
<p class="card-rating">${renderStars(Math.round(product.rating_tenths / 10))}
<span>${(product.rating_tenths / 10).toFixed(1)} of 5, from ${product.review_count} reviews</span></p>
</div>
<div class="card-sale">
<p class="card-price"><data value="${product.price_cents}">${printPrice(product.price_cents)}</data></p>
<p class="card-stock ${soldOut ? 'is-out' : 'is-in'}">${soldOut ? clockIcon : parcelIcon} ${stockNote(product.stock)}</p>
<p class="card-sold">${product.sold} sold</p>
<button type="button" class="button" data-product="${product.id}" data-price="${product.price_cents}"${soldOut ? ' disabled' : ''}>${basketIcon} Add to basket</button>
</div>
</article>`;
}

function stockNote(stock: number): string {
  if (stock === 0) return 'Sold out; more are on the way';
  return stock < 10 ? `Only ${stock} left` : 'In stock, leaves our house today';
}

/** 123405 as `1,234.05`. */
function printPrice(cents: number): string {
  return printNumber(cents / 100, 2);
}
