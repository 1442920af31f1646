import type { Category } from '../catalogue.ts';
import { escapeHtml } from './escape-html.ts';

export const longestQuery = 100;

/** `category` is the id of the one chosen; 0 for all. */
export function renderSearchForm(categories: readonly Category[], query: string, category: number): string {
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
