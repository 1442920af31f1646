/** Protects people who paste an unsupported format: the error names it and the nearest thing that works. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a secret is written

import { expect, test } from 'vitest';
import { detectFormat, importText } from './import-stream.ts';

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
