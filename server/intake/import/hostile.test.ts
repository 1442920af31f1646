/** Protects imports from hostile texts: each ends in a report or an error within 5 s of CPU time. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of a shell
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { ProblemError } from '../../../shared/base/problem.ts';
import {
  type ImportFormat,
  importReportSchema,
  trafficChoicesSchema,
} from '../../../shared/scenario/import.ts';
import { importStream } from './import-stream.ts';

const many = 100_000;
const of = (text: string, count = many) => text.repeat(count);
const list = <Item>(count: number, write: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => write(index));

const har = (...entries: string[]) => `{"log":{"entries":[${entries.join(',')}]}}`;
const html = { name: 'content-type', value: 'text/html' };
const entry = (request: object, headers: object[] = [html], text = '') =>
  JSON.stringify({
    startedDateTime: '2026-01-01T00:00:00Z',
    request: { method: 'GET', url: 'http://s/', headers: [], ...request },
    response: { status: 200, headers, content: { mimeType: 'text/html', text } },
  });
const sends = (mimeType: string, text: string) =>
  har(entry({ method: 'POST', postData: { mimeType, text } }));
const page = (text: string) => har(entry({}, [html], text));
const recording = (...steps: object[]) => JSON.stringify({ steps });
const scenario = (step: object) =>
  JSON.stringify({ name: 'a', steps: [{ name: 'a', method: 'GET', path: '/', ...step }] });

/** Each name stands for two of the one before it. */
const inNames = (twice: (name: string) => string, count = 40) =>
  `const a0='xxxxxxxxxxxxxxxx';\n${list(count, (index) => `const a${index + 1}=${twice(`a${index}`)};\n`).join('')}page.goto(a${count})`;
/** `a16` has a million characters, `a15` half of them. */
const longName = (used: string) =>
  `${inNames((name) => `${name}+${name}`, 16)};\ntest('t', async ({page, request}) => {\n${used}\n});`;

const hostile: Record<ImportFormat, Record<string, () => string>> = {
  har: {
    'a million entries': () => har(`${of('{},', 1_000_000)}{}`),
    'a million brackets in an entry': () => `{"log":{"entries":[${of('[', 1_000_000)}`,
    'a million brackets beside them': () => of('{"a":', 1_000_000),
    'entries as far as they are read': () =>
      har(...list(10_000, (index) => entry({ url: `http://s/${index}` }))),
    headers: () => har(`{"request":{"headers":[${of('{"name":"a","value":"b"},')}{}]}}`),
    'a body of brackets': () => sends('application/json', of('[', many) + of(']', many)),
    'a form of equals signs': () => sends('application/x-www-form-urlencoded', of('=', 1_000_000)),
    'elements that never end': () => sends('text/xml', of('<a b="')),
    'quotes and backslashes': () => sends('text/plain', `"password":"${of('\\', 1_000_000)}`),
    'parts of a form': () =>
      sends('multipart/form-data; boundary=x', `--x\r\nContent-Disposition:${of(' ;')}filename`),
    cookies: () =>
      har(
        entry({}, [
          { name: 'set-cookie', value: list(many, (index) => `c${index}=abcdefgh${index}`).join('\n') },
        ]),
      ),
    'secrets that begin alike': () =>
      har(
        entry({
          method: 'POST',
          postData: { text: JSON.stringify(list(20_000, (index) => ({ token: `secret-${index}` }))) },
        }),
      ),
    'one value again and again': () => {
      const json = { name: 'content-type', value: 'application/json' };
      const text = JSON.stringify(Array(20_000).fill('value12345'));
      return har(
        entry({}, [json], '["value12345"]'),
        entry({ method: 'POST', headers: [json], postData: { text } }),
      );
    },
    'tags that never end': () => page(of('<input ')),
    'attributes that never end': () => page(of('<meta name=a content="')),
    'white space in a tag': () => page(`<meta ${of(' ', 1_000_000)}`),
  },
  curl: {
    substitutions: () => `curl http://s/ -d ${of('$(')}`,
    braces: () => `curl http://s/${of('{a,b}')}`,
    'braces of curl': () => `curl 'http://s/${of('{a,b}')}'`,
    'requests of one command': () => `curl ${of('http://s/ -: ')}`,
    'here-documents that never end': () => of('curl http://s/ <<a\n'),
    'a long body to many addresses': () => `curl -d ${of('a', 3_000_000)} ${of('http://s/ ', 9000)}`,
    'a long query to many addresses': () => `curl -G -d ${of('a', 3_000_000)} ${of('http://s/ ', 9000)}`,
    brackets: () => `curl a\n${of('(')}`,
    exits: () => `${of('exit\n', 50_000)}curl http://s/`,
    'here-documents': () => `curl http://s/ ${of('<<a ')}\n${of('a\n')}`,
    'options that nobody has': () => `curl ${of('--unknown-option ')}http://s/`,
    'a million commands': () => of('x\n', 1_000_000),
    prompts: () => of('a b$ '),
    carets: () => `curl ^"http://s/^"${of('^', 1_000_000)}`,
  },
  playwright: {
    parentheses: () => `page.goto(${of('(')}`,
    templates: () => `page.goto(${of('`${')}`,
    groups: () => of("test.describe('a',()=>{", 20_000),
    'groups in groups': () => `${of("test.describe('a',()=>{", 800)}test('a',()=>{})${of('})', 800)}`,
    'names in names': () => inNames((name) => `\`\${${name}}\${${name}}\``),
    'names in sums': () => inNames((name) => `${name}+${name}`),
    'one long name in one text': () => longName(`page.goto(\`${of('${a16}', 40_000)}\`)`),
    'bodies of one long name': () =>
      longName(of("request.post('http://s/',{data:{a:a15,b:[a14]}});\n", 8000)),
    'queries of one long name': () => longName(of("request.get('http://s/',{params:{a:a15}});\n", 8000)),
    'headers of one long name': () =>
      longName(
        `page.setExtraHTTPHeaders({${list(50, (index) => `h${index}:a9`).join(',')}});\n${of("page.goto('http://s/');\n", 9000)}`,
      ),
    'a long base': () => longName(`test.use({baseURL:'http://s/'+a15});\n${of("page.goto('a');\n", 9000)}`),
    'texts of one long name': () => longName(of("page.fill('#a',a12);\n", 15_000)),
    'loops in loops': () => `${of("for (const a of ['1','2','3','4','5','6','7','8','9','0'])", 9)} ;`,
    'a loop beside many names': () =>
      `${list(10_000, (index) => `const a${index}='';\n`).join('')}for (const a of [${of("'1',", 50_000)}]) ;`,
    'a long list': () => longName(`for (const a of [${of('a15,')}]) page.goto(a);`),
    'a long word': () => `page.${of('a', 400_000)}()`,
    'a long sum': () => `page.goto(${of('"a"+', 50_000)}"a")`,
    'broken lines': () => of('page.goto((;\n', 30_000),
    'a block that is never closed': () => `test('a', () => {\n${of("page.goto('http://s/');\n", 15_000)}`,
    'locators in locators': () =>
      `page${of(".locator('a').filter({has:page", 2000)}${of('})', 2000)}.click()`,
    'a pattern that takes for ever': () => `page.getByText(/(a+)+$/).click(); page.getByText('${of('a')}')`,
    'a glob that takes for ever': () => `page.waitForURL('${of('**/', 1000)}')`,
    Python: () => `from playwright import x\n${of('page.goto("', 40_000)}`,
  },
  devtools: {
    'a million steps': () => `{"steps":[${of('{},', 1_000_000)}{}]}`,
    brackets: () => `{"steps":[${of('[')}${of(']')}]}`,
    'attributes that never end': () => recording({ type: 'click', selectors: [`aria/${of('[ role = ')}`] }),
    'white space': () => recording({ type: 'click', selectors: [`a${of(' ', 1_000_000)}>>>`] }),
    selectors: () => recording({ type: 'click', selectors: Array(many).fill('#a') }),
    keys: () => recording(...Array(5000).fill({ type: 'keyDown', key: 'Control' })),
    passwords: () =>
      recording(
        ...list(5000, (index) => ({ type: 'change', value: `secret-${index}`, selectors: ['#password'] })),
      ),
  },
  json: {
    'a million steps': () => `{"name":"a","steps":[${of('{},', 1_000_000)}{}]}`,
    brackets: () => `{"steps":${of('[', 1_000_000)}`,
    variables: () => scenario({ path: `/${of('${a}')}` }),
    'a pattern that takes for ever': () =>
      scenario({ extract: [{ from: 'regex', variable: 'a', pattern: of('(a+)+', 90) }] }),
    'a body of brackets': () => scenario({ method: 'POST', body: of('{"password":', 80_000) }),
    headers: () => scenario({ headers: Object.fromEntries(list(20_000, (index) => [`a${index}`, 'b'])) }),
  },
};

const cases = Object.entries(hostile).flatMap(([format, texts]) =>
  Object.entries(texts).map(([what, write]) => ({ format: format as ImportFormat, what, write })),
);

test.each(cases)('$format: $what', async ({ format, write }) => {
  const text = Buffer.from(write());
  const before = process.cpuUsage();
  await reportOf(text, format);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000_000).toBeLessThan(5);
});

/** Throws what is no sentence. */
async function reportOf(text: Buffer, format: ImportFormat): Promise<void> {
  const choices = trafficChoicesSchema.parse({});
  try {
    importReportSchema.parse(await importStream(Readable.from([text]), { name: 'It', format, choices }));
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemError);
    expect((error as ProblemError).problem.detail).toMatch(/^[A-Z].* /);
  }
}
