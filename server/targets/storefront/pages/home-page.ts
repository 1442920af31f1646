import type { Category, Product } from '../catalogue.ts';
import type { LatestReview } from '../store.ts';
import { escapeHtml } from './escape-html.ts';
import { renderStars } from './icons.ts';
import { renderLayout } from './layout.ts';
import { renderProductCard } from './product-card.ts';

export function renderHomePage(
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
