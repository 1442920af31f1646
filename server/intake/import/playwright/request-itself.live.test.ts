/** Protects the API requests of Playwright tests: a run sends the same as the installed Playwright. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: text of a test that a scenario must not take for a variable
import { request as playwright } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Arrived, type EchoServer, openEchoServer } from '../../../testing/echo-server.ts';
import { sendScenario } from '../../../testing/send-scenario.ts';
import { importText } from '../import-stream.ts';

let server: EchoServer;
beforeAll(async () => {
  server = await openEchoServer();
});
afterAll(() => server.close());

const sent = [
  "get('http://HOST/a')",
  "get('http://HOST/a?x=1#y', { params: { a: 'ä b', c: 1, d: true } })",
  "get('http://HOST/a?x=a b', { params: 'a=b c' })",
  "get('http://HOST/a?', { params: {} })",
  "get('http://HOST/ä/b c?\"<>')",
  "get('http://HOST/a/../b/./c')",
  "get('http://ada:p%40w@HOST/a')",
  "get('http://HOST/a', { headers: { 'User-Agent': 'me', 'X-Empty': '', Accept: 'a/b' } })",
  "head('http://HOST/a')",
  "delete('http://HOST/a')",
  "post('http://HOST/a')",
  "post('http://HOST/a', { data: '' })",
  "post('http://HOST/a', { data: 5 })",
  "post('http://HOST/a', { data: null })",
  "post('http://HOST/a', { data: { a: 1, c: null, d: [1, 'x', true], 'e f': 'ü', f: {} } })",
  "post('http://HOST/a', { data: 'x', headers: { 'Content-Type': 'application/json' } })",
  "post('http://HOST/a', { data: '{a', headers: { 'content-type': 'application/json; charset=utf-8' } })",
  "post('http://HOST/a', { data: { a: 1 }, headers: { 'content-type': 'text/plain' } })",
  "post('http://HOST/a', { form: { a: 'ä b', c: 1, d: true, 'e&': '~*()' } })",
  "post('http://HOST/a', { form: { a: '1' }, headers: { 'content-type': 'x/y' } })",
  "put('http://HOST/a', { data: '\\u0000\\uD83D\\uDE00', headers: { 'X-Two': 'é' } })",
  "fetch('http://HOST/a', { method: 'post', data: 'x' })",
  "get('http://HOST/a', { data: 'x' })",
  "fetch('http://HOST//b/c', { method: 'PROPFIND', headers: { Depth: '1' } })",
  "get('http://HOST/1'); await request.get('http://HOST/2')",
];
const refused = [
  "post('http://HOST/a', { data: '${b} $${c}' })",
  "post('http://HOST/a', { multipart: { a: 'b' } })",
  "get('http://HOST/a', { headers: { Host: 'x' } })",
  "get('http://HOST/a', { headers: { 'content-length': '5' } })",
];

test.each(sent)('request.%s', async (call) => {
  const code = `await request.${call.replaceAll('HOST', `127.0.0.1:${server.port}`)};`;
  const request = await playwright.newContext();
  const run = Object.getPrototypeOf(async () => {}).constructor('request', code);
  await run(request);
  await request.dispose();
  const theirs = server.take().map(seen);
  const report = importTest(code);
  expect(report.unsupported).toEqual([]);
  if (report.scenario === null) throw new Error('Nothing was imported.');
  await sendScenario(report.scenario, {}, server.port);
  expect(server.take().map(seen)).toEqual(theirs);
});

test.each(refused)('request.%s is refused by name', (call) => {
  const { scenario, unsupported } = importTest(`await request.${call};`);
  expect(scenario).toBeNull();
  expect(unsupported).toMatchObject([{ line: 2 }]);
});

function importTest(code: string) {
  const text = `test('It', async ({ request }) => {\n${code}\n});`;
  // The password is sent as it stands, as there is nobody to type it.
  return importText(text, {
    name: 'It',
    format: 'playwright',
    choices: { thirdParties: false, declined: ['authorization'] },
  });
}

/** Not compared: the order of headers, who the client says it is, what it accepts packed, the connection, and a length of 0. */
function seen({ head, body }: Arrived) {
  const [start, ...lines] = head.split('\r\n');
  const headers = lines
    .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
    .filter(
      (line) =>
        !/^(?:user-agent: (?:Playwright|tls-toll)|accept-encoding:|connection:|content-length: 0$)/.test(
          line,
        ),
    );
  return { start, headers: headers.sort(), body: body.toString('latin1') };
}
