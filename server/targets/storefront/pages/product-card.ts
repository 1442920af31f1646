import type { Product } from '../catalogue.ts';
import { escapeHtml } from './escape-html.ts';
import { basketIcon, clockIcon, parcelIcon, renderStars } from './icons.ts';
import { printPrice } from './print-price.ts';

export function renderProductCard(product: Product): string {
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
