import { groupOptions, type PlacedOption } from '../../shared/base/option.ts';
import { defaultInWords, helpOfFlag, termOf } from '../../shared/base/option-flag.ts';

/**
 * The documentation of a verb with its options as their table has them: a heading and a table for each group, at the end of the section.
 * @param page Markdown, with a section `## `verb``
 */
export function withOptionTables(page: string, verb: string, options: readonly PlacedOption[]): string {
  const tables = groupOptions(options).map(
    ([title, inGroup]) =>
      `### ${title}\n\n| Option | Meaning | Default |\n| --- | --- | --- |\n${inGroup.map(rowOf).join('')}`,
  );
  return page
    .split(/^(?=## )/m)
    .map((section) =>
      section.startsWith(`## \`${verb}\``)
        ? `${[section.split(/^### /m)[0]?.trimEnd(), ...tables.map((table) => table.trimEnd())].join('\n\n')}\n\n`
        : section,
    )
    .join('');
}

/** The same with one table, in which the options stand before those that the verb has of its own. */
export function withOptionRows(page: string, verb: string, options: readonly PlacedOption[]): string {
  const flagged = options.filter(({ option }) => option.flag !== null);
  const terms = flagged.map((placed) => termOf(placed).split(' ')[0] ?? '');
  const isOwn = (row: string) => !terms.includes(/^\| `([^` ]*)/.exec(row)?.[1] ?? '');
  return page
    .split(/^(?=## )/m)
    .map((section) => {
      if (!section.startsWith(`## \`${verb}\``)) return section;
      const [before = '', separator = '', after = ''] = section.split(/^(\| --- \| --- \| --- \|\n)/m);
      const rows = after.split(/^(?!\|)/m);
      const own = (rows[0] ?? '').split(/^/m).filter(isOwn);
      return [before, separator, ...flagged.map(rowOf), ...own, ...rows.slice(1)].join('');
    })
    .join('');
}

function rowOf(placed: PlacedOption): string {
  const cells = [`\`${termOf(placed)}\``, helpOfFlag(placed.option), defaultOf(placed)];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`.replaceAll('|  |', '| |');
}

function defaultOf({ option }: PlacedOption): string {
  const words = defaultInWords(option) ?? '';
  const { type } = option.type === 'list' ? option.item : option;
  return (type === 'choice' || type === 'flag') && words !== '' && option.usual === undefined
    ? `\`${words}\``
    : words;
}
