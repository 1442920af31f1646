/** Protects people who paste an unsupported format: the error names it and the nearest thing that works. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a secret is written

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ProblemError } from '../../../shared/base/problem.ts';
import { importReportSchema, trafficChoicesSchema } from '../../../shared/scenario/import.ts';
import { detectFormat, importStream, importText } from './import-stream.ts';

test.each([
  [
    'fetch("https://shop.example/", {\n  "headers": {}\n});',
    'a fetch call, which cannot be imported. In the browser, choose Copy as cURL',
  ],
  [
    '$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\nInvoke-WebRequest -Uri "http://s/"',
    'a command for PowerShell, which cannot be imported. In the browser, choose Copy as cURL from the same menu.',
  ],
  ['{"info":{"_postman_id":"7","name":"Shop"},"item":[]}', 'a Postman collection'],
  ['{"_type":"export","__export_format":4}', 'an Insomnia export'],
  ['{"openapi":"3.1.0","paths":{}}', 'an OpenAPI document'],
  ['openapi: 3.1.0\npaths: {}', 'an OpenAPI document'],
  ["import http from 'k6/http';\nexport default function () { http.get('http://s/'); }", 'a k6 script'],
  ['<?xml version="1.0"?>\n<jmeterTestPlan version="1.2">', 'a JMeter test plan'],
  ['from locust import HttpUser, task', 'a Locust file'],
  ["describe('Shop', () => { it('opens', () => { cy.visit('/'); }); });", 'a Cypress test'],
  ["const puppeteer = require('puppeteer');\nconst page = 1;", 'a Puppeteer script'],
  ['from selenium import webdriver', 'a Selenium test'],
  ['wget --header "A: b" http://shop.example/', 'a wget command'],
  ['http POST shop.example/orders item=7', 'an HTTPie command'],
  ['GET /orders HTTP/1.1\nHost: shop.example', 'a raw HTTP request'],
  ['<!DOCTYPE html><html>', 'an HTML page'],
  ['PK\x03\x04abc', 'a compressed file'],
  ['SELECT 1;', 'it begins with “SELECT 1;”'],
  ['', 'it begins with nothing'],
  ['\u0000\u0001', 'it begins with bytes that are not text'],
])('%j', (text, said) => {
  expect(() => detectFormat(text)).toThrow(said);
});

test.each([
  ['for i in 1 2; do curl http://s/; done', 'curl'],
  ['while sleep 1; do\n  curl http://s/\ndone', 'curl'],
  ['seq 3 | xargs -I{} curl http://s/{}', 'curl'],
  ['cat urls.txt | xargs -n1 curl', 'curl'],
  ['watch -n 1 curl http://s/', 'curl'],
  ['# Orders\ncurl http://shop.example/', 'curl'],
  ["import { test } from '@playwright/test';\n// as wget does", 'playwright'],
  ['{"log":{"creator":{"name":"Selenium"}}}', 'har'],
  ['{"name":"Shop","steps":[{"name":"a","method":"GET","path":"/"}]}', 'json'],
])('%j is %s', (text, format) => {
  expect(detectFormat(text)).toBe(format);
});

/** Protects passwords in imported texts: none comes out, and no two share a name. */

test('two passwords have two names, one in the fields of a page and one in a request', () => {
  const { actions, scenario, secrets } = importText(
    `test('Log in', async ({ page, request }) => {
      await page.goto('http://shop.example/login');
      await page.getByLabel('Password').fill('of-the-page');
      await request.post('http://shop.example/api', { form: { password: 'of-the-request', again: 'of-the-page' } });
    });`,
    { name: 'It', format: 'playwright' },
  );
  expect(actions.at(-1)).toMatchObject({ type: 'fill', value: '${secret:password}' });
  expect(scenario?.steps.at(-1)?.body).toBe('password=${secret:password_2}&again=${secret:password}');
  expect(secrets.map(({ name }) => name)).toEqual(['password', 'password_2']);
});

test('a password in front of a host is in no address, and the request sends credentials', () => {
  const page = importText(`await page.goto('http://ann:pa55@shop.example/');`, {
    ...{ name: 'It', format: 'playwright' },
  });
  expect(page.actions).toMatchObject([{ type: 'goto', url: 'http://ann:${secret:password}@shop.example/' }]);
  const curl = importText('curl http://ann:pa55word@shop.example/', { name: 'It', format: 'curl' });
  expect(curl.scenario?.steps).toMatchObject([
    { path: '/', headers: { authorization: 'Basic ${secret:authorization}' } },
  ]);
  expect(JSON.stringify([page, curl])).not.toMatch(/pa55|YW5uOnBhNTV/);
});

/** Protects the import of a file: its format is detected, and a problem is a sentence. */

const facts = { name: 'Imported', choices: trafficChoicesSchema.parse({}) };

async function* pieces(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

const fixture = (name: string) => pieces(readFileSync(new URL(`./fixtures/${name}`, import.meta.url)));

test.each([
  ['playwright.har', 'har', 7, 0],
  ['chrome.har', 'har', 7, 0],
  ['firefox.har', 'har', 7, 0],
  ['mitmproxy-11.0.2.har', 'har', 4, 0],
  ['codegen-test.spec.ts.txt', 'playwright', 1, 9],
  ['codegen-library.js.txt', 'playwright', 1, 7],
  ['everyday.spec.ts.txt', 'playwright', 2, 6],
  ['devtools.json', 'devtools', 1, 6],
  ['chrome-bash.curl.txt', 'curl', 1, 0],
  ['chrome-cmd.curl.txt', 'curl', 1, 0],
  ['scenario.json', 'json', 1, 0],
])('%s is recognized as %s', async (name, format, steps, actions) => {
  const report = importReportSchema.parse(await importStream(fixture(name), facts));
  expect(report.format).toBe(format);
  expect(report.scenario?.steps).toHaveLength(steps);
  expect(report.actions).toHaveLength(actions);
  expect(JSON.stringify(report)).not.toMatch(/Tr0ub4dor|s3ss10n|Kanarie/);
});

test.each([
  ['{"log":{"entries":[{"request":', 'Entry 1 of the HAR ends too early.'],
  ['{"log":{"version":"1.2"}}', 'not a HAR: it has no log.entries'],
  [`{"log":{"entries":[${'['.repeat(100_000)}`, 'nested deeper than 100 levels'],
  [`{"log":{"entries":[${'{},'.repeat(10_000)}{}]}}`, 'Entry 10001: a HAR may have 10000 entries'],
  ['', 'Unknown format'],
  ['\u0000\u0001\u0002', 'Unknown format'],
  ['{"steps":[{"method":"GET"}]}', 'The scenario: name'],
])('%.40s is refused in a sentence', async (text, sentence) => {
  const failure = await importStream(pieces(text), facts).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProblemError);
  expect((failure as ProblemError).message).toContain(sentence);
});

test('An entry that is none is named, and the others stand', async () => {
  const entry = (url: string) => ({
    startedDateTime: '2026-01-01T00:00:00Z',
    request: { method: 'GET', url, headers: [] },
    response: { status: 200, headers: [], content: {} },
  });
  const odd = { ...entry('http://s/'), request: { method: 7 } };
  const entries = [entry('http://s/a'), odd, null, entry('nonsense'), entry('http://s/b')];
  const { scenario, unsupported } = await importStream(pieces(JSON.stringify({ log: { entries } })), facts);
  expect(scenario?.steps.map(({ path }) => path)).toEqual(['/a', '/b']);
  expect(unsupported.map(({ line }) => line)).toEqual([2, 3, 4]);
});
