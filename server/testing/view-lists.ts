import type { HistoryColumn } from '../../shared/measurement/history-view.ts';
import { historyViews } from '../../shared/results/history.ts';

/**
 * The page about SQL with the columns of each view. Columns that every view has stand once.
 * @param page Markdown, with a section for each view, and one `## Every view`
 */
export function withViewLists(page: string): string {
  const views = historyViews.map(({ columns }) => columns);
  const shared = (views[0] ?? []).filter(({ name }) => views.every((columns) => has(columns, name)));
  return page
    .split(/^(?=## )/m)
    .map((section) => {
      const heading = /^## `?([^`\n]+)/.exec(section)?.[1] ?? '';
      if (heading === 'Every view') return withList(section, shared);
      const view = historyViews.find(({ name }) => name === heading);
      if (view === undefined) return section;
      const own = view.columns.filter(({ name }) => !has(shared, name));
      const row = view.row.replace(/^one/, 'One');
      return withList(`## \`${view.name}\`\n\n${row}.`, own);
    })
    .join('')
    .replace(/\n+$/, '\n');
}

function has(columns: readonly HistoryColumn[], name: string): boolean {
  return columns.some((column) => column.name === name);
}

/** Columns that hold the same of different things are in one line. The ends of intervals are explained on top of the page. */
function withList(section: string, columns: readonly HistoryColumn[]): string {
  const centers = columns.filter(({ name }) => !/_(lo|hi)$/.test(name));
  const lines = [...Map.groupBy(centers, ({ about }) => about)].map(([about, of]) => {
    const names = of.map(({ name }) => `\`${name}\`${has(columns, `${name}_lo`) ? ' ±' : ''}`);
    return `- ${names.join(', ')}: ${about}`;
  });
  const prose = section.split(/^- `/m)[0]?.trimEnd() ?? '';
  return `${prose}\n\n${lines.join('\n')}\n\n`;
}
