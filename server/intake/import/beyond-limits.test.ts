/** Protects imports from any text: it becomes a report of the known shape or a problem, never an error. */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProblemError } from '../../../shared/base/problem.ts';
import {
  type ImportFormat,
  type ImportReport,
  importReportSchema,
  trafficChoicesSchema,
} from '../../../shared/scenario/import.ts';
import { importStream } from './import-stream.ts';

async function reportOf(text: string | Uint8Array, format?: ImportFormat): Promise<ImportReport> {
  const facts = { name: 'Shop', format, choices: trafficChoicesSchema.parse({}) };
  return importReportSchema.parse(await importStream(Readable.from([Buffer.from(text)]), facts));
}

type Entry = { url: string; sent?: string; body?: string; headers?: object[]; response?: string };

function har(...entries: Entry[]): string {
  const json = [{ name: 'content-type', value: 'application/json' }];
  return JSON.stringify({
    log: {
      entries: entries.map(({ url, body, headers = json, response = '' }) => ({
        startedDateTime: '2026-01-01T00:00:00Z',
        request: {
          method: body === undefined ? 'GET' : 'POST',
          url,
          headers: json,
          ...(body === undefined ? {} : { postData: { text: body } }),
        },
        response: { status: 200, headers, content: { mimeType: 'application/json', text: response } },
      })),
    },
  });
}

function playwright(statement: string, password = 'click'): string {
  return `test('t', async ({ page, request }) => {
    await page.goto('http://shop.example/');
    await page.getByLabel('Password').fill('${password}');
    ${statement}
  });`;
}

const made = Array.from({ length: 1100 }, (_, index) => `made-${index + 1000}`);
const sendsAll = (url: string) =>
  har({ url: 'http://shop.example/', response: JSON.stringify(made) }, { url });

test.each([
  ['is no token', '{x-id'],
  ['is too long', 'x'.repeat(101)],
])('A value that came in a header whose name %s is sent as recorded', async (_, name) => {
  const { scenario, correlations, notes } = await reportOf(
    har(
      { url: 'http://shop.example/', headers: [{ name, value: 'abc12345' }] },
      { url: 'http://shop.example/abc12345' },
    ),
  );
  expect(correlations).toEqual([]);
  expect(scenario?.steps[1]?.path).toBe('/abc12345');
  expect(notes).toEqual([expect.stringContaining('from where no rule can take it')]);
});

test('A name of a host that DNS could not hold is cut', async () => {
  const { scenario } = await reportOf(har({ url: `http://${'a'.repeat(3000)}/` }));
  expect(scenario?.description).toMatch(/^Recorded for a{253}\.$/);
});

test.each([
  ['path', { url: `http://shop.example/?${'b'.repeat(4080)}=&token=abcd1` }],
  [
    'body',
    { url: 'http://shop.example/', body: JSON.stringify({ token: 'abcd1', x: 'y'.repeat(2 ** 20 - 24) }) },
  ],
])('A request whose %s is too long with its secrets replaced is named', async (what, entry) => {
  const { scenario, unsupported } = await reportOf(har(entry, { url: 'http://shop.example/next' }));
  expect(scenario?.steps.map(({ path }) => path)).toEqual(['/next']);
  expect(unsupported).toEqual([{ line: 1, reason: expect.stringMatching(`^Entry 1 .*${what}`) }]);
});

test('A path that would be too long with its variables is sent as recorded', async () => {
  const url = `http://shop.example/${made.slice(0, 400).join('/')}`;
  const { scenario, correlations } = await reportOf(sendsAll(url));
  expect(correlations).toHaveLength(400);
  expect(scenario?.steps[1]?.path).toBe(new URL(url).pathname);
});

test('However many values come under one long name, each variable has a name that a scenario can hold', async () => {
  const response = JSON.stringify(made.map((value) => ({ ['1'.repeat(60)]: value })));
  const { correlations } = await reportOf(
    har(
      { url: 'http://shop.example/', response },
      { url: 'http://shop.example/', body: JSON.stringify(made) },
    ),
  );
  expect(new Set(correlations.map(({ extract }) => extract.variable)).size).toBe(made.length);
});

test('A password that is a word of ours leaves what is done as it is', async () => {
  const { actions } = await reportOf(playwright(`await page.getByText('click me').click();`));
  expect(actions.at(-1)).toMatchObject({
    type: 'click',
    locator: [{ by: 'text', match: { type: 'text', text: 'click me' } }],
  });
  expect(actions.at(-2)).toMatchObject({ type: 'fill', value: `\${${'secret:password'}}` });
  const recording = {
    steps: [
      { type: 'change', value: 'hover', selectors: ['#password'] },
      { type: 'hover', selectors: ['#menu'] },
    ],
  };
  expect((await reportOf(JSON.stringify(recording))).actions.map(({ type }) => type)).toEqual([
    'change',
    'hover',
  ]);
  const request = playwright(`await request.post('http://shop.example/', { data: 'x' });`).replace(
    'click',
    'POST',
  );
  expect((await reportOf(request)).scenario?.steps.at(-1)?.method).toBe('POST');
});

test.each([
  ['too long once its secrets are replaced', `await page.keyboard.press('${'cl1ck'.repeat(20)}');`],
  ['An argument is missing', `await page.getByRole('button',, { name: 'Buy' }).click();`],
  ['An argument is missing', `test('u',, async ({ page }) => {});`],
  ['The request has an invalid address', `await request.get('http://[shop.example/');`],
  ['a status from 200 to 599', `expect((await request.get('/')).status()).toBe(700);`],
])('A statement of a test is named with its line: %s', async (reason, statement) => {
  const { unsupported } = await reportOf(playwright(statement, 'cl1ck'));
  expect(unsupported).toEqual([{ line: 4, reason: expect.stringContaining(reason) }]);
});

const sources: [ImportFormat, string][] = [
  ['har', 'chrome.har'],
  ['har', 'firefox.har'],
  ['playwright', 'codegen-test.spec.ts.txt'],
  ['playwright', 'everyday.spec.ts.txt'],
  ['devtools', 'devtools.json'],
  ['curl', 'chrome-bash.curl.txt'],
  ['curl', 'chrome-cmd.curl.txt'],
  ['json', 'scenario.json'],
];

test.each(sources)('A mutated %s (%s) is one of the two as well', async (format, name) => {
  const bytes = readFileSync(new URL(`fixtures/${name}`, import.meta.url));
  const one = fc.constantFrom(...'{}[]",:\\0-e\x00\xff<$');
  const mutation = fc.record({
    at: fc.nat(bytes.length - 1),
    put: fc.oneof(one, fc.string({ maxLength: 4 })),
    drop: fc.oneof(fc.constant(1), fc.nat(20)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { maxLength: 3 }), async (mutations) => {
      const mutated = mutations.reduce(
        (text, { at, put, drop }) => text.slice(0, at) + put + text.slice(at + drop),
        bytes.toString('latin1'),
      );
      try {
        await reportOf(Buffer.from(mutated, 'latin1'), format);
      } catch (error) {
        expect(error).toBeInstanceOf(ProblemError);
      }
    }),
    {
      numRuns: 100,
      // A header's name that is no token, in the response that a later request takes a value from.
      examples: name === 'chrome.har' ? [[[{ at: 43_087, put: '{', drop: 1 }]]] : [],
    },
  );
});
