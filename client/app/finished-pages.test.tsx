/** Protects the words of finished pages: an underlined one has its meaning, none is one that the terms replaced, and a result teaches seven at most. */
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { KindName } from '../../shared/measurement/kind-names.ts';
import { goldenRun } from '../../shared/testing/golden-run.ts';
import { oldWordsIn } from '../../shared/testing/old-words.ts';
import { termsFor } from '../../shared/words/terms.ts';
import type { LateView } from '../features/measurement/late-view.ts';
import type { AnyView } from '../features/measurement/unfold.ts';
import { kinds } from './kinds.ts';

type Stored = { kind: KindName };

const golden = new URL('../../server/life/database/golden/', import.meta.url);
const shipped = new URL('../../server/life/examples/shipped/', import.meta.url);
const parse = (text: string) => JSON.parse(text);
const pages: [name: string, document: Stored][] = [
  ...readdirSync(golden)
    .filter((name) => name.endsWith('.json'))
    .map((name): [string, Stored] => [name, parse(readFileSync(new URL(name, golden), 'utf8'))]),
  ...readdirSync(shipped).map((name): [string, Stored] => [
    name,
    parse(gunzipSync(readFileSync(new URL(name, shipped))).toString()).document,
  ]),
  ['a server that was running', runOfOwnServer()],
];

/** The golden run, as if its server had not been started for it. */
function runOfOwnServer() {
  const run = goldenRun();
  return {
    ...run,
    target: { kind: 'origins', http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' },
    launches: run.launches.slice(0, 1),
    metrics: run.metrics.map((metric) => ({ ...metric, launches: [] })),
  } as unknown as Stored;
}

async function markupOf(document: Stored): Promise<string> {
  const { Finished } = await (kinds[document.kind] as unknown as LateView<AnyView>).open();
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <MemoryRouter>
          <Finished document={document as never} takeFocus={false} />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  );
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/** Text of a page and of its labels; configurations and commands are not ours to word. */
function textOf(markup: string): string {
  const own = markup.replaceAll(/<(pre|code|style)\b[^>]*>.*?<\/\1>/gs, ' ');
  const labels = [...own.matchAll(/ (?:aria-label|placeholder|alt|title)="([^"]*)"/g)].map(
    ([, label]) => label,
  );
  return [own.replaceAll(/<[^>]*>/g, ' '), ...labels]
    .join(' ')
    .replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? '');
}

/** Words that explain themselves, with their meanings. */
function underlinedIn(markup: string): { word: string; meaning: string }[] {
  return [...markup.matchAll(/<button[^>]* aria-describedby="([^"]+)"[^>]*>(.*?)<\/button>/gs)].map(
    ([, id = '', word = '']) => {
      const at = markup.indexOf(`id="${id}" role="tooltip"`);
      const meaning = at < 0 ? '' : markup.slice(markup.indexOf('>', at) + 1).split('</span></span>')[0];
      return { word: textOf(word), meaning: textOf(meaning ?? '').trim() };
    },
  );
}

test.each(pages)('%s explains what it underlines, in the words of the list', async (_, document) => {
  const markup = await markupOf(document);
  expect(textOf(markup).length).toBeGreaterThan(500);
  expect(underlinedIn(markup).filter(({ meaning }) => meaning === '')).toEqual([]);
  expect(oldWordsIn(textOf(markup))).toEqual([]);
});

const runs = pages.filter(([, { kind }]) => kind === 'comparison');

/** Loads are one thing to learn, and so are outcomes, and a difference and its change. */
const lessons: Record<string, string> = {
  ...{ 'Full load': 'loads', 'Half load': 'loads', 'One user': 'loads', Change: 'Difference' },
  ...{ 'Costs more': 'outcomes', 'Costs less': 'outcomes', 'Within ±5 %': 'outcomes', Unclear: 'outcomes' },
  ...{ 'Not tested': 'outcomes', 'Not available': 'outcomes' },
};
const method = termsFor().slice(
  0,
  termsFor().findIndex(({ term }) => term === 'Run'),
);

/** Words of the method that show above the folds, without what is hidden until it is asked for, and without the names of buttons. */
function taughtAbove(markup: string): Set<string> {
  const shown = markup
    .slice(0, markup.indexOf('data-fold'))
    .replaceAll(/<(tr|ul)\b[^>]* hidden="".*?<\/\1>/gs, ' ')
    .replaceAll(/<(span|caption)[^>]* class="hidden".*?<\/\1>/gs, ' ')
    .replaceAll(/<span[^>]* role="tooltip".*?<\/span><\/span>/gs, ' ')
    .replaceAll(/<(style|details|select)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/Change settings|Start a longer run/g, ' ');
  const isShown = (form: string) => new RegExp(`\\b${form}s?(?!\\w| trip|/s)`, 'i').test(shown);
  const taught = method.filter(({ term, said = [] }) => [term, ...said].some(isShown));
  return new Set(taught.map(({ term }) => lessons[term] ?? term));
}

test.each(runs)('%s teaches seven words of the method at most above its folds', async (_, document) => {
  const markup = await markupOf(document);
  expect(underlinedIn(markup).length).toBeGreaterThan(3);
  const taught = taughtAbove(markup);
  expect(taught).toContain('outcomes');
  expect([...taught].slice(7), [...taught].join(', ')).toEqual([]);
});

test('an old word, and an underlined one without its meaning, are found', () => {
  expect(oldWordsIn('12 blocks of one launch; the twin differs at load')).toHaveLength(4);
  expect(oldWordsIn('npx tls-toll compare --baseline https; an initial window of 10')).toEqual([]);
  expect(
    underlinedIn('<button aria-describedby="a">Block</button><span id="a" role="tooltip"></span></span>'),
  ).toEqual([{ word: 'Block', meaning: '' }]);
});
