/** Protects the server from imports that yield far more than they are: each is given up in a sentence with its line. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of a test
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { type ImportFormat, trafficChoicesSchema } from '../../../shared/scenario/import.ts';
import { importStream } from './import-stream.ts';

function imported(text: string, format: ImportFormat) {
  const facts = { name: 'It', format, choices: trafficChoicesSchema.parse({}) };
  return importStream(Readable.from([Buffer.from(text)]), facts);
}

const list = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index));
/** In line 17, `a16` has 2²⁰ characters. */
const names = `const a0='xxxxxxxxxxxxxxxx';\n${list(24, (index) => `const a${index + 1}=\`\${a${index}}\${a${index}}\`;\n`).join('')}`;
const tooLarge = 'this comes to more than 16 MiB of requests and actions. Import it in parts.';

test('constants that stand for two of the one before are read up to a MiB, and named from there on', async () => {
  const text = `${names}test('t', async ({ request }) => {
  await request.post('http://s/', { data: a16 });
  await request.post('http://s/', { data: a24 });
  await request.post('http://s/', { data: { a: a15, b: [a15, a1] } });
});\n`;
  const { scenario, unsupported } = await imported(text, 'playwright');
  expect(scenario?.steps.map(({ body }) => body?.length)).toEqual([2 ** 20]);
  const reason = 'The text that is put together here is longer than 1 MiB.';
  expect(unsupported.slice(0, 2)).toEqual([
    { line: 18, reason },
    { line: 19, reason: 'The value of a17 is unknown.' },
  ]);
  expect(unsupported.slice(-2)).toEqual([
    { line: 28, reason: 'The value of a24 is unknown.' },
    { line: 29, reason },
  ]);
});

test.each([
  [
    'playwright',
    `${names}test('t', async ({ request }) => {\n${"  await request.post('http://s/', { data: a16 });\n".repeat(20)}});\n`,
    'Line 42: ',
  ],
  ['curl', `curl http://s/\ncurl -d ${'a'.repeat(2 ** 20)} ${'http://s/ '.repeat(20)}`, 'Line 2: '],
] as const)('%s that yields more than 16 MiB is given up at its line', async (format, text, line) => {
  await expect(imported(text, format)).rejects.toMatchObject({
    problem: { code: 'import_unreadable', detail: `${line}${tooLarge}` },
  });
});

test('so is a HAR of large bodies', async () => {
  const entry = (index: number) =>
    JSON.stringify({
      startedDateTime: '2026-01-01T00:00:00Z',
      request: {
        ...{ method: 'POST', url: `http://s/${index}`, headers: [] },
        postData: { mimeType: 'text/plain', text: 'a b '.repeat(200_000) },
      },
      response: { status: 200, headers: [], content: {} },
    });
  const har = `{"log":{"entries":[${list(40, entry).join(',')}]}}`;
  await expect(imported(har, 'har')).rejects.toMatchObject({
    problem: { detail: `T${tooLarge.slice(1)}` },
  });
});
