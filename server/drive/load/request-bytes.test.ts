/** Protects the bytes of a request: its length, its Host and its Connection. */
import { expect, test } from 'vitest';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { assembleRequests } from './request-bytes.ts';

const scenario = scenarioSchema.parse({
  name: 'two',
  steps: [
    { name: 'look', method: 'GET', path: '/a?b=c', headers: { accept: 'text/html', 'x-a': ['b', 'c'] } },
    { name: 'send', method: 'POST', path: '/d', body: 'ü=1' },
  ],
});

const listener: Listener = {
  arm: 'baseline',
  transport: 'http',
  hostname: 'shop.test',
  address: '127.0.0.1',
  port: 8080,
  ca: null,
  pid: null,
};

const texts = (close: boolean) =>
  assembleRequests(scenario, listener, close).map(({ bytes }) => bytes.toString('utf8'));

test('a request is whole before the load begins, and its length counts bytes', () => {
  const [look, send] = texts(false);
  expect(look).toBe(
    'GET /a?b=c HTTP/1.1\r\nHost: shop.test:8080\r\nUser-Agent: tls-toll\r\naccept: text/html\r\nx-a: b\r\nx-a: c\r\n\r\n',
  );
  expect(send).toContain('Content-Length: 4\r\n');
  expect(send?.endsWith('\r\n\r\nü=1')).toBe(true);
});

test('a path is sent letter by letter, whatever a parser of addresses would make of it', () => {
  const paths = ['//elsewhere.invalid/x', '/urn:a:b', '/.//elsewhere.invalid/x', '/?//c'];
  const steps = paths.map((path) => ({ name: path, method: 'REPORT' as const, path, body: '<q/>' }));
  const sent = assembleRequests(scenarioSchema.parse({ name: 'odd', steps }), listener, false);
  expect(sent.map(({ bytes }) => bytes.toString('latin1').split('\r\n').slice(0, 2))).toEqual(
    paths.map((path) => [`REPORT ${path} HTTP/1.1`, 'Host: shop.test:8080']),
  );
});

test('a request asks the server to close the connection after it only where that is wanted', () => {
  const closes = (close: boolean) => texts(close).map((text) => text.includes('Connection: close'));
  expect(closes(false)).toEqual([false, false]);
  expect(closes(true)).toEqual([true, true]);
});

test('the default port of the transport is left out of Host, as browsers do', () => {
  const hostOf = (changes: Partial<Listener>) =>
    /Host: (.*)\r\n/.exec(
      assembleRequests(scenario, { ...listener, ...changes }, false)[0]?.bytes.toString() ?? '',
    )?.[1];
  expect(hostOf({ port: 80 })).toBe('shop.test');
  expect(hostOf({ port: 443 })).toBe('shop.test:443');
  expect(hostOf({ port: 443, transport: 'https' })).toBe('shop.test');
  expect(hostOf({ hostname: '::1' })).toBe('[::1]:8080');
});
