import type { Category, Product } from '../catalogue.ts';
import { escapeHtml } from './escape-html.ts';
import { renderLayout } from './layout.ts';
import { renderProductCard } from './product-card.ts';
import { renderSearchForm } from './search-form.ts';

/** The empty form, with what others look for below it. */
export function renderSearchPage(
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
export function renderResultsPage(
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
export function renderNothingFoundPage(
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
