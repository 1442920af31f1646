import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { problemCatalogue } from '../../shared/base/problem-catalogue.ts';
import { runDocumentSchema } from '../../shared/kinds/comparison/run.ts';
import { causeRecords, visitCauseRecords } from '../../shared/words/causes.ts';
import { whereAndWhen } from '../../shared/words/example-words.ts';
import { headlineOfRun } from '../../shared/words/headline.ts';
import { foundOf } from '../../shared/words/verdict-evidence.ts';
import { allKinds } from '../edge/start/all-kinds.ts';
import { pathOfExample, readExample } from '../life/examples/with-examples.ts';

/** Parts of README and of the documentation that come from the code, from benches, and from the shipped examples. */

/** A page with the table of environment variables, from the help of `serve`. */
export function withSettings(page: string, help: string): string {
  const [, list = ''] = help.split('Environment variables:\n');
  const rows: { names: string; meaning: string }[] = [];
  for (const line of list.split('\n')) {
    const [, names, meaning = ''] = /^ {2}([A-Z][A-Z0-9_, ]*?) {2,}(.*)$/.exec(line) ?? [];
    const row = rows.at(-1);
    if (names !== undefined) rows.push({ names, meaning });
    else if (row !== undefined) row.meaning = `${row.meaning} ${line.trim()}`.trim();
  }
  const asCode = (text: string) => text.replace(/\b(?:TLS_[A-Z_]+|[A-Z]+_[A-Z_]+)\b|https?:\/\/\S+/g, '`$&`');
  const table = rows.map(({ names, meaning }) => `| ${asCodes(names)} | ${asCode(meaning)} |\n`).join('');
  return `${page.split(/^\| Variable/m)[0]}| Variable | Meaning |\n| --- | --- |\n${table}`;
}

function asCodes(names: string): string {
  return names.replace(/\w+/g, '`$&`');
}

/** A page with all causes that a result can name, below their heading. */
export function withCauses(page: string): string {
  const [intro = ''] = page.split(/^(?=### )/m);
  const sections = [...causeRecords, ...visitCauseRecords].map(
    ({ title, severity, rows, seenBy, remedy }) =>
      `### ${title}\n\n- **Evidence**: ${seenBy}\n- **Affects**: ${rows === 'all' ? 'every row' : rows}${severity === 'grave' ? '; the figures then show something other than TLS' : ''}.\n- **What to do**: ${remedy}\n`,
  );
  return `${intro.trimEnd()}\n\n${sections.join('\n')}`;
}

/** The first problem of each group of the catalog, and the heading of its group. */
const groups = new Map([
  ['target_not_permitted', 'Targets'],
  ['run_not_found', 'Measurements'],
  ['too_many_connections', 'Load, browser, and tools'],
  ['scenario_not_found', 'Scenarios and recordings'],
  ['file_unreadable', 'Server and machine'],
  ['sign_in_required', 'Sign-in and roles'],
  ['invalid_request', 'Requests'],
]);

/**
 * A page with every problem of the catalog, its code, and its advice, in the groups above. Paragraphs below a problem stay.
 * @param page Markdown, with a section for each, whose first line begins with its code
 */
export function withProblems(page: string): string {
  const [intro = '', ...sections] = page.split(/^#{2,3} /m);
  const kept = new Map(
    sections.map((section) => {
      const [, first = '', ...paragraphs] = section.trimEnd().split('\n\n');
      return [/^`(\w+)`/.exec(first)?.[1], paragraphs.join('\n\n')];
    }),
  );
  const texts = new Map<string, string>([...groups.values()].map((group) => [group, '']));
  let group = '';
  for (const [code, { title, advice }] of Object.entries(problemCatalogue)) {
    group = groups.get(code) ?? group;
    const own = kept.get(code) ?? '';
    const text = `### ${title}\n\n\`${code}\`: ${adviceOf(advice)}\n${own === '' ? '' : `\n${own}\n`}`;
    texts.set(group, `${texts.get(group)}\n${text}`);
  }
  return `${intro.trimEnd()}\n${[...texts].map(([name, text]) => `\n## ${name}\n${text}`).join('')}`;
}

/** Some advice follows a reason that a message gives first. */
function adviceOf(advice: string): string {
  return advice.replace(/^Or (\w)/, (_or, first) => first.toUpperCase()).replace(/\S+@\S+/, '`$&`');
}

/** A page with the headline of the demo shop's example in its first quotation. */
export async function withExample(page: string): Promise<string> {
  const { document } = await readExample(allKinds, pathOfExample('storefront'));
  const run = runDocumentSchema.parse(document);
  const headline = headlineOfRun(run);
  if (headline === null) throw new Error('The example has no verdict.');
  return page.replace(
    /^> .*$/m,
    `> **${headline.title}** · ${headline.second} · ${foundOf(run)} (the demo shop, ${whereAndWhen(document)})`,
  );
}

const sectionSchema = z.strictObject({
  date: z.iso.date(),
  machine: z.string(),
  figures: z.record(z.string(), z.number()),
});

/** Figures of each bench, as `npm run bench` wrote them. */
const benchFigures = z
  .record(z.string(), sectionSchema)
  .parse(JSON.parse(readFileSync(new URL('../bench/figures.json', import.meta.url), 'utf8')));

const machines = { quiet: 'Quiet machine', busy: 'Next to two busy loops on the same cores' } as const;
const targets = {
  button: 'Demo shop',
  managed: 'nginx, started for the run',
  standing: 'nginx that was already running',
} as const;

/** A page with the tables of repeated runs: ours and wrk's, on a quiet and on a busy machine. */
export function withRepeatTables(page: string): string {
  return page.replace(/^\| (Quiet machine|Next to two busy loops).*\n(?:\|.*\n)*/gm, (_table, start) =>
    tableOf(start === machines.quiet ? 'quiet' : 'busy'),
  );
}

function tableOf(machine: keyof typeof machines): string {
  const { date, figures } = figuresOf('repeat');
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
  const heads = [
    `${machines[machine]}, ${day}`,
    ...['TLS Toll: server CPU ± spread', 'wrk', 'Difference found'],
    ...['Interval contains the mean of the others', 'Verdict after'],
  ];
  const rows = Object.entries(targets).map(([target, title]) => {
    const figure = (name: string) => {
      const key = `${machine}/${target}/${name}`;
      return figures[key] ?? fail(key);
    };
    const cost = (tool: 'ours' | 'wrk') => {
      const [us, percent, spread] = [
        'HTTPS less HTTP: mean/µs',
        'HTTPS against HTTP: mean/%',
        'HTTPS against HTTP: sd/%',
      ].map((name) => figure(`CPU per transaction, ${name}/${tool}/value`));
      return `+${short(us)} µs, +${percent?.toFixed(1)} % ± ${short(spread)} %`;
    };
    const count = (name: string) =>
      `${figure(`${name}/runs/ours/value`)} of ${figure(`${name}/runs/ours/of`)}`;
    return [
      ...[title, cost('ours'), cost('wrk'), count('decided')],
      count('CPU per transaction: intervals that hold the mean of the others'),
      `${figure('time to the verdict, median/s/ours/value').toFixed(0)} s`,
    ];
  });
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** A page with the table of runs of a side against itself. */
export function withNullTable(page: string): string {
  const { figures } = figuresOf('null');
  const rows = Object.entries(lengthTitles).flatMap(([length, title]) => {
    const [runs, claiming] = ['runs', 'claiming'].map((name) => figures[`${length}/any/${name}`]);
    return runs === undefined ? [] : [`| ${title} | ${runs} | ${claiming} |\n`];
  });
  const heads = '| Compared with itself | Runs | A difference in any row |\n| --- | --- | --- |\n';
  return page.replace(/^\| Compared with itself.*\n(?:\|.*\n)*/m, heads + rows.join(''));
}

const lengthTitles = { first: 'first answer', quote: 'to quote', fine: 'fine' } as const;

const comparedLibraries = {
  versions: 'OpenSSL 3.5.0 instead of 3.0.8',
  build: 'OpenSSL 3.0.8, built here, instead of Debian’s 3.0',
  control: 'OpenSSL 3.5.0 on both sides',
} as const;

/** A page with the table of servers on other TLS libraries, once that bench has run. */
export function withLibraryTable(page: string): string {
  const { library } = benchFigures;
  if (library === undefined) return page;
  const { date, figures } = library;
  const columns = { request: 'a request', connection: 'a new connection', record: 'a record' } as const;
  const rows = Object.entries(comparedLibraries).map(([pair, title]) => {
    const cells = Object.keys(columns).map((unit) =>
      ['first', 'again'].flatMap((run) => costIn(figures, `${pair}/${unit}/${run}`)).join('; again '),
    );
    return [title, ...cells];
  });
  const heads = [
    `nginx, ${date} (\`library\`)`,
    ...Object.values(columns).map((unit) => `Server CPU for ${unit}`),
  ];
  const table = [heads, heads.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
  const without = page.replace(/^\| nginx, \d.*\n(?:\|.*\n)*\n/m, '');
  return without.replace(/^`inject` makes/m, `${table}\n$&`);
}

/** `−12 µs (−39 to +15), −4.0 %`; empty for what was not measured. */
function costIn(figures: Record<string, number>, key: string): string[] {
  const signed = (value = 0) => `${value < 0 ? '−' : '+'}${short(Math.abs(value))}`;
  const us = (end: string) => figures[`${key}/µs/${end}`];
  const percent = figures[`${key}/%/center`];
  if (percent === undefined) return [];
  return [`${signed(us('center'))} µs (${signed(us('lo'))} to ${signed(us('hi'))}), ${signed(percent)} %`];
}

function figuresOf(bench: string): z.infer<typeof sectionSchema> {
  return benchFigures[bench] ?? fail(bench);
}

function fail(key: string): never {
  throw new Error(`figures.json lacks ${key}: npm run bench -- repeat null`);
}

function short(value = 0): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

/** Versions, dates, names, and constants of statistics, which no bench measures. */
const unmeasured =
  /`[^`\n]*`|\]\([^)]*\)|^> .*$|\d{4}-\d\d-\d\d|[A-Z][a-z]+ \d{1,2}, \d{4}|(?:Node|Debian|TLS|HTTP|OpenSSL|Go)(?:\/| )\d[\d.]*|RSA-\d+|P-256|95 % (?:CI|confidence)|1 (?:in|of) 20|instead of 1\.2|130 times/gm;

/** Numbers of a page that no bench printed. A unit after a number must be the figure's unit, where its key names one. */
export function unmeasuredNumbers(page: string): string[] {
  const figures = Object.values(benchFigures).flatMap((section) => Object.entries(section.figures));
  const prose = page.replace(/^```.*?^```$/gms, '').replace(unmeasured, '');
  return [...prose.matchAll(/(\d[\d,]*(?:\.\d+)?)(?: (%|µs|ms|s|MB)(?!\w))?/g)].flatMap(
    ([text, digits = '', unit]) => {
      const decimals = digits.split('.')[1]?.length ?? 0;
      const value = digits.replaceAll(',', '');
      const fits = ([key, figure]: [string, number]) =>
        Math.abs(figure).toFixed(decimals) === value &&
        (unit === undefined || !unitIn(key) || unitIn(key) === unit);
      return figures.some(fits) ? [] : [text];
    },
  );
}

function unitIn(key: string): string | undefined {
  return /\/(%|µs|ms|s|MB)(?:\/|$)/.exec(key)?.[1];
}
