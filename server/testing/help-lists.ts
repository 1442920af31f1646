/** Line of a command's help for one argument or option. */
type HelpRow = { group: string; term: string; meaning: string };

/**
 * The reference of the command line with the arguments and options of each command as its help has them, at the end of its section.
 * Options that all of `alike` describe in the same words are only in the section of shared options.
 * @param page Markdown, with a section `## `verb`` for each command
 * @param helps by command
 */
export function withHelpLists(
  page: string,
  helps: ReadonlyMap<string, string>,
  alike: readonly string[],
): string {
  const rows = new Map([...helps].map(([verb, help]) => [verb, rowsOf(help)]));
  const [first = [], ...others] = alike.map((verb) => rows.get(verb) ?? []);
  const shared = first.filter((row) => others.every((each) => has(each, row)));
  return page
    .split(/^(?=## )/m)
    .map((section) => {
      const heading = /^## `?([^`\n]+)/.exec(section)?.[1] ?? '';
      if (heading === 'Shared options') return withLists(section, shared);
      const own = rows.get(heading);
      if (own === undefined) return section;
      return withLists(section, alike.includes(heading) ? own.filter((row) => !has(shared, row)) : own);
    })
    .join('')
    .replace(/\n+$/, '\n');
}

function has(rows: readonly HelpRow[], { term, meaning }: HelpRow): boolean {
  return rows.some((row) => row.term === term && row.meaning === meaning);
}

/** Rows of its arguments and options. A line that starts where the meanings begin belongs to the row before it. */
function rowsOf(help: string): HelpRow[] {
  const rows: HelpRow[] = [];
  let group = '';
  const [described = ''] = help.split(/^(?:Exit codes|Environment variables|Views|Roles)/m);
  for (const line of described.split('\n')) {
    const [, term, meaning = ''] = /^ {2}(\S+(?: \S+)*)(?: {2,}(.*))?$/.exec(line) ?? [];
    if (/^\S.*:$/.test(line)) group = line.slice(0, -1);
    else if (term !== undefined && group !== '') rows.push({ group, term, meaning });
    else if (/^ {3}/.test(line)) goOn(rows.at(-1), line.trim());
  }
  return rows.filter(({ term }) => term !== '-h, --help');
}

function goOn(row: HelpRow | undefined, words: string): void {
  if (row !== undefined) row.meaning = `${row.meaning} ${words}`.trim();
}

/** The heading of a group is left out where it says no more than that options follow. */
function withLists(section: string, rows: readonly HelpRow[]): string {
  const prose = section.split(/^(?:\*\*|- `)/m)[0]?.trimEnd() ?? '';
  const lists = [...Map.groupBy(rows, ({ group }) => (isPlain(group) ? '' : group))].flatMap(
    ([group, inGroup]) => [...(group === '' ? [] : [`**${group}**`]), inGroup.map(lineOf).join('\n')],
  );
  return `${[prose, ...lists].join('\n\n')}\n\n`;
}

function isPlain(group: string): boolean {
  return ['Arguments', 'Options', 'Plan'].includes(group);
}

/** Addresses and flags in a meaning are code: an address would be a link otherwise. */
function lineOf({ term, meaning }: HelpRow): string {
  return `- \`${term}\`: ${meaning.replace(/(?:https?:\/\/|--[a-z])[^\s,;)]*(?<!\.)/g, '`$&`')}`;
}
