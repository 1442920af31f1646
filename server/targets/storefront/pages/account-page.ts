import type { Category, Product } from '../catalogue.ts';
import { escapeHtml } from './escape-html.ts';
import { renderLayout } from './layout.ts';
import { printPrice } from './print-price.ts';

/** The sensitive page: a made-up customer's address, card and orders. */
export function renderAccountPage(categories: readonly Category[], ordered: readonly Product[]): string {
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
