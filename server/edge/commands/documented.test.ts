/** Protects the documentation of the command line: it names every option and every variable that the help names. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test, vi } from 'vitest';
import { docPages } from '../../../shared/base/doc-page.ts';
import { placeOptions } from '../../../shared/base/option.ts';
import { otherOptions, planOptions } from '../../../shared/kinds/comparison/options.ts';
import { meshOptions } from '../../../shared/kinds/mesh/options.ts';
import { historyViews, sqlExamples } from '../../../shared/measurement/history.ts';
import { withOptionTables } from '../../testing/option-tables.ts';
import { withQuestionTable } from '../../testing/question-table.ts';
import { agent } from './agent.ts';
import { backup } from './backup.ts';
import { compare, parseComparison } from './compare.ts';
import { diff } from './diff.ts';
import { distance } from './distance.ts';
import { handshakes } from './handshakes.ts';
import { importScenario } from './import.ts';
import { mesh } from './mesh.ts';
import { probe } from './probe.ts';
import { record } from './record.ts';
import { restore } from './restore.ts';
import { runner } from './runner.ts';
import { schedules } from './schedules.ts';
import { serve } from './serve.ts';
import { servers } from './servers.ts';
import { sizes } from './sizes.ts';
import { speed } from './speed.ts';
import { sql } from './sql.ts';
import { stop } from './stop.ts';
import { targets } from './targets.ts';
import { visits } from './visits.ts';

const verbs = {
  serve,
  compare,
  diff,
  handshakes,
  distance,
  mesh,
  speed,
  sizes,
  servers,
  visits,
  record,
  probe,
  agent,
  runner,
  schedules,
  sql,
  targets,
  stop,
  import: importScenario,
  backup,
  restore,
};
const helps = new Map<string, string>();

beforeAll(async () => {
  for (const [name, run] of Object.entries(verbs)) {
    const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await run(['--help']).catch(() => 0);
    helps.set(name, print.mock.calls.map(([text]) => text).join(''));
    print.mockRestore();
  }
});

test.each(Object.keys(verbs))('%s', (name) => {
  const terms = [...(helps.get(name) ?? '').matchAll(/^ {2}(--\S+(?: <\S+>)?)/gm)].map(([, term]) => term);
  expect(helps.get(name)).toContain('-h, --help');
  const section = sectionOf(read('command-line'), name).replaceAll('\\|', '|');
  expect(terms.filter((term) => !section.includes(`\`${term}\``))).toEqual([]);
});

test('the options of a comparison and of a mesh are those of their tables; `npx vitest -u` writes them', async () => {
  const compared = withOptionTables(read('command-line'), 'compare', [...planOptions, ...otherOptions]);
  const page = withOptionTables(compared, 'mesh', placeOptions(null, meshOptions));
  await expect(page).toMatchFileSnapshot('../../../public/docs/command-line.md');
});

test('where each question can be asked; `npx vitest -u` writes it', async () => {
  const page = withQuestionTable(read('guide'), '## Ask another question');
  await expect(page).toMatchFileSnapshot('../../../public/docs/guide.md');
});

test('the variables of the environment', () => {
  const names = [...(helps.get('serve') ?? '').matchAll(/^ {2}([A-Z0-9_]{4,})/gm)].map(([, name]) => name);
  expect(names).toHaveLength(19);
  const settings = read('guide');
  expect(names.filter((name) => !settings.includes(`\`${name}\``))).toEqual([]);
});

test('the views of SQL, with every column', () => {
  const page = read('sql');
  for (const { name, columns } of historyViews) {
    const [ofAll = '', ...sections] = page.split(/^## /m);
    const section = ofAll + sections.find((each) => each.startsWith(`\`${name}\``));
    const named = columns.map((column) => column.name).filter((each) => !/_(lo|hi)$/.test(each));
    expect(named.filter((each) => !section.includes(`\`${each}\``))).toEqual([]);
  }
  expect(sqlExamples.filter(({ sql: example }) => !page.includes(example))).toEqual([]);
});

test('every comparison that a page shows is one that the command line takes', () => {
  const texts = docPages
    .map(({ page }) => read(page))
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

function read(page: string): string {
  return readFileSync(new URL(`../../../public/docs/${page}.md`, import.meta.url), 'utf8');
}

function sectionOf(text: string, verb: string): string {
  return text.split(/^## /m).find((section) => section.startsWith(`\`${verb}\``)) ?? '';
}
