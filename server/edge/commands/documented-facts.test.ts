/** Protects the documentation: outcomes, kinds, events, endpoints, lengths, thresholds, and benches are those of the code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endpoints } from '../../../shared/api/endpoints.ts';
import { docPages } from '../../../shared/base/addresses.ts';
import { problemCatalogue } from '../../../shared/base/problem-catalogue.ts';
import { verdictOutcomeSchema } from '../../../shared/kinds/comparison/comparison.ts';
import { linkNames, parseLink } from '../../../shared/kinds/comparison/link-text.ts';
import {
  type Length,
  lengthNames,
  lengths,
  loadOptions,
  longestPauseMs,
} from '../../../shared/kinds/comparison/options.ts';
import { runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import { kindNames } from '../../../shared/measurement/kind-names.ts';
import { isOver, measurementStateSchema } from '../../../shared/measurement/measurement.ts';
import { sqlLimits } from '../../../shared/results/history.ts';
import { kinds, measurementEventSchema } from '../../../shared/results/kinds.ts';
import { binDays, scheduleLimits } from '../../../shared/results/schedule.ts';
import { claimWords } from '../../../shared/studies/study-figure.ts';
import { capsSchema } from '../../../shared/target/target.ts';
import { wordOfOutcome } from '../../../shared/words/change-words.ts';
import { sourceAddress } from '../../base/process/listeners.ts';
import { planFor } from '../../kinds/comparison/run-plan.ts';
import { exampleList } from '../../life/examples/with-examples.ts';
import { queueLimit } from '../../life/measurement/machine-queue.ts';

const root = new URL('../../../', import.meta.url);
const read = (page: string) =>
  readFileSync(
    new URL(page === 'CONTRIBUTING' ? '.github/CONTRIBUTING.md' : `public/docs/${page}.md`, root),
    'utf8',
  );

test('one table explains the outcomes of metrics, changes, claims, and measurements', () => {
  const outcomes = verdictOutcomeSchema.options.map((outcome) => {
    const judged = { id: 'cpu_at_load', outcome, delta: null } as const;
    return wordOfOutcome({ ...judged, ratio: { center: 1.1, lo: 1, hi: 1.2 } }, 0.05);
  });
  const better = { id: 'cpu_at_load', outcome: 'overhead', delta: null } as const;
  const negative = wordOfOutcome({ ...better, ratio: { center: 0.9, lo: 0.8, hi: 1 } }, 0.05);
  const ends = measurementStateSchema.options.filter(isOver);
  const all = [...outcomes, negative, ...claimWords, ...ends].map((word) => word.toLowerCase());
  const explained = firstCells(sectionOf('outcomes', '## Outcomes')).flatMap((cell) =>
    cell.toLowerCase().split(', '),
  );
  expect(explained.toSorted()).toEqual([...new Set(all)].toSorted());
  const others = docPages
    .filter(({ page }) => page !== 'outcomes' && page !== 'glossary')
    .map(({ page }) => read(page));
  const readme = readFileSync(new URL('README.md', root), 'utf8');
  const again = /^\| `?(unclear|not tested|interrupted|not decided)`? \|/im;
  expect([readme, ...others].filter((text) => again.test(text))).toEqual([]);
});

test('the API page names every kind, state, event, and outcome', () => {
  const api = read('api');
  expect(codesIn(firstCells(sectionOf('api', '## The life of a measurement')))).toEqual(
    expect.arrayContaining([...kindNames]),
  );
  const unnamed = [...measurementStateSchema.options, ...verdictOutcomeSchema.options];
  expect(unnamed.filter((name) => !api.includes(`\`${name}\``))).toEqual([]);
  const events = codesIn(firstCells(sectionOf('api', '## Follow')));
  expect(events.toSorted()).toEqual(
    measurementEventSchema.options.map(({ shape }) => shape.type.value).toSorted(),
  );
});

test('the API page says which kind sends which event', () => {
  const rows = rowsOf(sectionOf('api', '## Follow'));
  for (const kind of kindNames) {
    const told = rows.flatMap(([event = '', by = '']) =>
      by === 'every kind' || codesIn([by]).includes(kind) ? codesIn([event]) : [],
    );
    const sent = kinds[kind].event.options.map(({ shape }) => shape.type.value);
    expect(told.toSorted(), kind).toEqual([...sent].toSorted());
  }
});

test('every endpoint that a page names exists', () => {
  const known = new Set(
    Object.values(endpoints).map(({ method, path }) => `${method.toUpperCase()} ${bare(path)}`),
  );
  const named = docPages.flatMap(({ page }) =>
    [...read(page).matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^\s`?]*)/g)].map(
      ([, method, path = '']) => `${method} ${bare(path.replace(/^\/api\/v1/, ''))}`,
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((each) => !known.has(each))).toEqual([]);
});

test('every problem that the API page names exists', () => {
  const named = [...read('api').matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, code = '']) => code);
  const codes = named.filter((code) => !['no_overhead', 'not_tested'].includes(code));
  expect(codes.length).toBeGreaterThan(5);
  expect(codes.filter((code) => !(code in problemCatalogue))).toEqual([]);
});

test('the documentation has the precisions, times, and starts of the lengths', () => {
  const guide = rowsOf(sectionOf('your-application', '## Choose the length'));
  for (const length of lengthNames) {
    const { precision, atMostS } = lengths[length];
    const row = guide.find(([name]) => name === length) ?? [];
    expect(row.slice(1, 3)).toEqual([`±${precision * 100} %`, `${atMostS / 60} min`]);
  }
  const method = rowsOf(sectionOf('method', '## Samples and starts'));
  const shapes = [
    ['first, demo shop', planOf('first', 'storefront')],
    ['first, server of this machine', planOf('first', 'nginx')],
    ['quote', planOf('quote', 'storefront')],
    ['fine', planOf('fine', 'storefront')],
  ] as const;
  for (const [name, { launches, epochs, maximumMs, lockstepMs, openMs }] of shapes) {
    const [, count, each = ''] = method.find(([first]) => first === name) ?? [];
    expect(count, name).toBe(String(launches.minimum));
    const seconds = (ms: number) => `${Number(((epochs.maximum * ms) / 1000).toFixed(1))} s`;
    expect(each, name).toContain(`${seconds(maximumMs)} at full load, ${seconds(lockstepMs)} with one user`);
    if (openMs !== null) expect(each, name).toContain(`${seconds(3 * openMs)} at half load`);
  }
});

test('the page of other hosts has the limits that a host is allowed with', () => {
  const caps = capsSchema.parse({});
  const shown = rowsOf(sectionOf('hosts', '## Limits')).map(([, value]) => value);
  expect(shown).toEqual(
    [caps.requestsPerS, caps.connections, caps.minutes, `${caps.bytes / 1e9} GB`].map(String),
  );
});

test('the pages have the limits of the queue, schedules, the bin, virtual users, and SQL', () => {
  expect(sectionOf('your-application', '## Choose the length')).toContain(`up to ${queueLimit} wait`);
  const share = read('share');
  expect(share).toContain(`up to ${scheduleLimits.schedules} schedules`);
  expect(share).toContain(`[bin](/runs/bin) for ${binDays} days`);
  const { min: fewest, max } = loadOptions.users;
  expect(fewest).toBe(1);
  expect(read('method')).toContain(`of the last ${longestPauseMs / 60_000} minutes`);
  const own = read('your-application');
  expect(own).toContain(`from ${sourceAddress(0)} to ${sourceAddress(-1 + 4 * 254)}`);
  const listed = exampleList.filter(({ asks }) => asks !== null).length;
  expect(read('quick-start')).toContain(`${['seven', 'eight', 'nine'][listed - 7]} results`);
  expect(own).toContain(`from 1 to ${max.toLocaleString('en-US')} virtual users`);
  const { rows, mostRows, bytes, ms } = sqlLimits;
  const sql = sectionOf('sql', '## Limits');
  expect(sql).toContain(`after ${ms / 1000} s`);
  expect(sql).toContain(`${rows.toLocaleString('en-US')} rows or ${bytes / 2 ** 20} MiB`);
  expect(sql).toContain(`up to ${mostRows.toLocaleString('en-US')} rows`);
});

test('the page about distance has the links that have names', () => {
  const page = read('distance');
  for (const name of linkNames) {
    const { roundTripMs, mbitPerS } = parseLink(name) ?? {};
    const rate = typeof mbitPerS === 'number' ? ` ${mbitPerS} Mbit/s` : '';
    expect(page).toContain(`| \`${name}\` | ${roundTripMs} ms |${rate} |`);
  }
});

test('contributing names every bench', () => {
  const main = readFileSync(new URL('server/bench/main.ts', root), 'utf8');
  const names = [...main.matchAll(/^ {2}'?([a-z-]+)'?: \w+,$/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(8);
  const scripts = sectionOf('CONTRIBUTING', '## Scripts');
  expect(names.filter((name) => !scripts.includes(`\`${name}\``))).toEqual([]);
});

test('the map of contributing has every folder, and no other', () => {
  const map = sectionOf('CONTRIBUTING', '## Source layout');
  const folders = ['server', 'server/edge', 'server/life', 'server/targets', 'server/base', 'client'].flatMap(
    (parent) =>
      readdirSync(new URL(parent, root), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [entry.name] : [],
      ),
  );
  expect(folders.filter((name) => !map.includes(`\`${name}/\``))).toEqual([]);
  const named = [...map.matchAll(/`([a-z\d]+)\/`/g)].map(([, name = '']) => name);
  const others = ['server', 'client', 'shared', 'e2e'];
  expect(named.filter((name) => ![...folders, ...others].includes(name))).toEqual([]);
});

test('the path of one measurement names existing files, 60 at most', () => {
  const way = sectionOf('CONTRIBUTING', '## The path of one measurement');
  const files = way.split('\n').flatMap((row) => {
    let folder = '';
    return [...row.matchAll(/`([\w/.-]+\.tsx?)`/g)].map(([, name = '']) => {
      if (name.includes('/')) folder = name.slice(0, name.lastIndexOf('/') + 1);
      return name.includes('/') ? name : folder + name;
    });
  });
  expect(files.length).toBeGreaterThan(40);
  expect(files.length).toBeLessThanOrEqual(60);
  expect(files.filter((name) => !existsSync(new URL(name, root)))).toEqual([]);
});

function planOf(length: Length, target: 'storefront' | 'nginx') {
  const asked = target === 'storefront' ? { length } : { length, target };
  return planFor(runRequestSchema.parse(asked), 0);
}

/** From a heading to the next one of its level or above. */
function sectionOf(page: string, heading: string): string {
  const text = read(page);
  const from = text.indexOf(`\n${heading}\n`);
  expect(from, `${page}: ${heading}`).toBeGreaterThan(0);
  const rest = text.slice(from + heading.length + 2);
  const level = heading.indexOf(' ');
  return rest.slice(0, rest.match(new RegExp(`^#{1,${level}} `, 'm'))?.index);
}

/** Rows of the section's tables, without their heads. */
function rowsOf(section: string): string[][] {
  const lines = section.split('\n');
  return lines
    .filter((line, at) => line.startsWith('| ') && !/^\| -/.test(line) && !/^\| ?-/.test(lines[at + 1] ?? ''))
    .map((line) => line.slice(2, -2).split(' | '));
}

function firstCells(section: string): string[] {
  return rowsOf(section).map(([first = '']) => first);
}

function codesIn(cells: readonly string[]): string[] {
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
}

/** However its parameters are called. */
function bare(path: string): string {
  return path.replace(/:\w+/g, '*').replace(/\{\w+\}(\.\.\{\w+\})?/g, '*');
}
