/** Protects the documentation of the command line: it names every option and every variable that the help names. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test, vi } from 'vitest';
import { docPages } from '../../../shared/base/addresses.ts';
import { problemCatalogue } from '../../../shared/base/problem-catalogue.ts';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import { distanceOptions } from '../../../shared/kinds/distance/options.ts';
import { explainOptions } from '../../../shared/kinds/explain/options.ts';
import { handshakesOptions } from '../../../shared/kinds/handshakes/options.ts';
import { meshOptions } from '../../../shared/kinds/mesh/options.ts';
import { pricesOptions } from '../../../shared/kinds/prices/options.ts';
import { serversOptions } from '../../../shared/kinds/servers/options.ts';
import { sizesOptions } from '../../../shared/kinds/sizes/options.ts';
import { speedOptions } from '../../../shared/kinds/speed/options.ts';
import { visitsOptions } from '../../../shared/kinds/visits/options.ts';
import { kindNames, kindWords } from '../../../shared/measurement/kind-names.ts';
import { historyViews } from '../../../shared/results/history.ts';
import { oldWordsIn } from '../../../shared/testing/old-words.ts';
import { termsFor } from '../../../shared/words/terms.ts';
import {
  unmeasuredNumbers,
  withCauses,
  withExample,
  withLibraryTable,
  withNullTable,
  withProblems,
  withRepeatTables,
  withSettings,
} from '../../testing/generated-docs.ts';
import { withHelpLists } from '../../testing/help-lists.ts';
import { withQuestionTable } from '../../testing/question-table.ts';
import { withViewLists } from '../../testing/view-lists.ts';
import { parseComparison } from './compare.ts';
import { runCommand, verbs } from './run-command.ts';

const helps = new Map<string, string>();

beforeAll(async () => {
  for (const name of Object.keys(verbs)) {
    const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await runCommand([name, '--help']);
    helps.set(name, print.mock.calls.map(([text]) => text).join(''));
    print.mockRestore();
  }
});

test('every command has its section', () => {
  const page = read('command-line');
  expect(Object.keys(verbs).filter((name) => !page.includes(`\n## \`${name}\`\n`))).toEqual([]);
  expect([...helps].filter(([, help]) => !help.includes('-h, --help'))).toEqual([]);
});

test('arguments and options are those of the help; `npx vitest documented.test -u` writes them', async () => {
  const measuring = kindNames.map((kind) => kindWords[kind].verb ?? kind);
  const page = withHelpLists(read('command-line'), helps, measuring);
  await expect(page).toMatchFileSnapshot('../../../public/docs/command-line.md');
});

test('where each question can be asked; `npx vitest documented.test -u` writes it', async () => {
  const page = withQuestionTable(read('tls-settings'), '## Ask one question');
  await expect(page).toMatchFileSnapshot('../../../public/docs/tls-settings.md');
});

test('the causes that a result names; `npx vitest documented.test -u` writes them', async () => {
  await expect(withCauses(read('outcomes'))).toMatchFileSnapshot('../../../public/docs/outcomes.md');
});

test('the glossary is the list of terms; `npx vitest documented.test -u` writes it', async () => {
  const sections = [...Map.groupBy(termsFor(), ({ topic }) => topic)].map(([topic, terms]) => {
    const rows = terms.map(({ term, meaning, api }) => {
      const names = api.map((name) => `\`${name}\``).join(', ');
      return `| ${term} | ${meaning} | ${names || '–'} |\n`;
    });
    return `## ${topic}\n\n| Word | Meaning | In the API |\n| --- | --- | --- |\n${rows.join('')}`;
  });
  const intro = 'The words of screens, reports, and messages. JSON, SQL, and CSV have names of their own.';
  const page = `# Glossary\n\n${intro}\n\n${sections.join('\n')}`;
  await expect(page).toMatchFileSnapshot('../../../public/docs/glossary.md');
});

test('helps, options, and problems have none of the words that the terms replaced', () => {
  const tables = [
    ...[comparisonOptions, distanceOptions, explainOptions, handshakesOptions, meshOptions],
    ...[pricesOptions, serversOptions, sizesOptions, speedOptions, visitsOptions],
  ];
  const options = tables.flat().flatMap(({ option }) => {
    const { label, help, group, hint, usual, placeholder } = option;
    const labels = 'labels' in option ? Object.values(option.labels ?? {}) : [];
    return [
      label,
      help,
      group,
      hint,
      usual,
      placeholder,
      ...labels,
      ...Object.values(option.sideNames ?? {}),
    ];
  });
  const problems = Object.values(problemCatalogue).flatMap(({ title, advice }) => [title, advice]);
  // The help of `sql` lists names of columns, which are those of the API.
  const read = [...helps].filter(([name]) => name !== 'sql').map(([, help]) => help);
  const texts = [...read, ...options, ...problems].flatMap((text) => text ?? []);
  expect(texts.length).toBeGreaterThan(300);
  expect(texts.flatMap(oldWordsIn)).toEqual([]);
});

test('every message has its section; `npx vitest documented.test -u` writes it', async () => {
  const page = withProblems(read('troubleshooting'));
  const explained = page
    .split(/^### /m)
    .filter((section) => (section.split(/^## /m)[0] ?? '').trim().split('\n\n').length > 2);
  expect(explained.length).toBeGreaterThanOrEqual(25);
  await expect(page).toMatchFileSnapshot('../../../public/docs/troubleshooting.md');
});

test('the variables of the environment; `npx vitest documented.test -u` writes them', async () => {
  const page = withSettings(read('settings'), helps.get('serve') ?? '');
  expect(page.match(/^\| `/gm)).toHaveLength(23);
  await expect(page).toMatchFileSnapshot('../../../public/docs/settings.md');
});

test('the example, and the figures of benches; `npx vitest documented.test -u` writes them', async () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  await expect(withRepeatTables(await withExample(readme))).toMatchFileSnapshot('../../../README.md');
  const figures = withLibraryTable(withNullTable(withRepeatTables(read('figures'))));
  await expect(figures).toMatchFileSnapshot('../../../public/docs/figures.md');
  const first = await withExample(read('first-result'));
  await expect(first).toMatchFileSnapshot('../../../public/docs/first-result.md');
});

test('every number of README and of the figures is one that a bench printed', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  expect(unmeasuredNumbers(readme)).toEqual([]);
  expect(unmeasuredNumbers(read('figures'))).toEqual([]);
  expect(unmeasuredNumbers('It costs 17.77 % more, or 0.9123 µs.')).toEqual(['17.77 %', '0.9123 µs']);
});

test('the views of SQL and their columns; `npx vitest documented.test -u` writes them', async () => {
  const page = withViewLists(read('sql'));
  expect(page.match(/^## `v_\w+`$/gm)).toEqual(historyViews.map(({ name }) => `## \`${name}\``));
  await expect(page).toMatchFileSnapshot('../../../public/docs/sql.md');
});

test('every comparison that a page shows is one that the command line takes', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const texts = [readme, ...docPages.map(({ page }) => read(page))]
    .join('\n')
    .replace(/(?: \\)?\n\s+(?=--)/g, ' ');
  const shown = [...texts.matchAll(/npx tls-toll compare((?:'[^'\n]*'|[^\n`#>|'])*)/g)].map(
    ([, args = '']) => args,
  );
  expect(shown.length).toBeGreaterThan(15);
  for (const args of shown.filter((each) => !each.includes('--help'))) {
    // Values in quotes hold spaces, `>` and `<`.
    const words = [...args.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    try {
      parseComparison(words);
    } catch (error) {
      // Files are the reader's.
      expect(error, args).toMatchObject({ problem: { code: 'file_unreadable' } });
    }
  }
});

test('every command that a page shows exists and has the options that it is shown with', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const texts = [readme, ...docPages.map(({ page }) => read(page))].join('\n').replace(/\\\n/g, ' ');
  const shown = [
    ...texts.matchAll(
      /(?:npx|exec dashboard|run --rm) tls-toll ([a-z]+)((?:'[^'\n]*'|"[^"\n]*"|[^\n`#>|'"])*)/g,
    ),
  ];
  expect(shown.length).toBeGreaterThan(60);
  for (const [command, verb = '', args = ''] of shown) {
    const help = helps.get(verb) ?? '';
    expect(help, command).not.toBe('');
    // Words after -- are another program's.
    const flags = (args.replace(/'[^']*'|"[^"]*"/g, '').split(/ -- /)[0] ?? '').match(/--[a-z][\w-]*/g) ?? [];
    const isKnown = (flag: string) =>
      help.includes(flag) || help.includes(flag.replace(/^--(?:baseline|comparison)-/, '--'));
    expect(
      flags.filter((flag) => !isKnown(flag)),
      command,
    ).toEqual([]);
  }
});

test('the lengths and the tolerance that a run has without options are the documented ones', () => {
  const own = read('your-application');
  const [, gated] = /With `--fail-if`, the length is `(\w+)` by default/.exec(own) ?? [];
  expect(parseComparison(['--fail-if', 'cpu_at_load > 20%']).request.length).toBe(gated);
  const [, first] = /^\| (\w+) \|.*\| a first answer \|$/m.exec(own) ?? [];
  expect(parseComparison([]).request.length).toBe(first);
  expect(read('outcomes')).toContain(`| Within ±${100 * parseComparison([]).request.tolerance} % |`);
});

test('the exit codes of a build are those of the help', () => {
  const codesOf = (text: string) => text.match(/(?<![\w-])\d(?= )/g);
  const [, help = ''] = /Exit codes: (.*)/.exec(helps.get('compare') ?? '') ?? [];
  const [table = ''] = /^\| Exit code(?:.*\n)+?\n/m.exec(read('ci')) ?? [];
  expect(codesOf(help)).toEqual(['0', '1', '2', '3']);
  expect(codesOf(table)).toEqual(codesOf(help));
});

function read(page: string): string {
  return readFileSync(new URL(`../../../public/docs/${page}.md`, import.meta.url), 'utf8');
}
