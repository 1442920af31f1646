import { escapeHtml } from './escape-html.ts';
import { renderLayout } from './layout.ts';

/** A page that only says something: what is wrong, and where to go from here. */
export function renderNoticePage(title: string, sentence: string): string {
  const content = `<h1>${escapeHtml(title)}</h1>
<p class="notice" role="alert">${escapeHtml(sentence)}</p>
<p>Go <a href="/">home</a>, or <a href="/search">search the shop</a>.</p>`;
  return renderLayout({ title, categories: [], content });
}
