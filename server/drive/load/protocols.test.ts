/** Protects the requests of a scenario with variables over HTTP/1.1. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { hostOf } from '../../base/addresses/origin.ts';
import { complete, KnownHead, mostKeptBytes } from '../../base/wire/head-bytes.ts';
import { scenarioOf, userOf } from '../../testing/scenario-in-test.ts';
import { assembleRequests, examineKept, Http1Protocol } from './protocols.ts';

const listener: Listener = {
  arm: 'baseline',
  transport: 'http',
  hostname: 'shop.test',
  address: '127.0.0.1',
  port: 80,
  ca: null,
  pid: null,
};

type Steps = Parameters<typeof scenarioOf>[0];

function protocolFor(steps: Steps, scripted: boolean): Http1Protocol {
  const scenario = scenarioOf(steps);
  const requests = {
    usual: assembleRequests(scenario, listener, false),
    last: assembleRequests(scenario, listener, true),
    host: hostOf(listener),
  };
  const knownHeads = scenario.steps.map(() => new KnownHead());
  return new Http1Protocol(requests, knownHeads, scripted ? userOf(steps) : null);
}

const steps: Steps = [
  { path: '/plain' },
  { extract: [{ from: 'regex', variable: 'id', pattern: 'id=(\\S+)' }] },
  { method: 'POST', path: '/items/${id}', body: 'item=${id}' },
];

test('a request without variables goes out as it was assembled, each time the same bytes', () => {
  for (const scripted of [false, true]) {
    const protocol = protocolFor(steps.slice(0, 2), scripted);
    expect(protocol.compose(0, false)).toBe(protocol.compose(0, false));
    expect(protocol.compose(0, true).toString()).toContain('\r\nConnection: close\r\n');
  }
});

test('a value taken from one response stands in the next request, whose length counts its bytes', () => {
  const protocol = protocolFor(steps, true);
  protocol.compose(1, false);
  const response = Buffer.from(
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nid=ü \r\n0\r\n\r\n',
  );
  expect(protocol.read(response, response.length)).toBe(complete);
  expect(protocol.examine(1)).toBeNull();
  expect(protocol.compose(2, true).toString()).toBe(
    'POST /items/%C3%BC HTTP/1.1\r\nHost: shop.test\r\nAccept: */*\r\nUser-Agent: tls-toll\r\n' +
      'Content-Length: 7\r\nConnection: close\r\n\r\nitem=ü',
  );
});

test('a step that nothing is taken from is not looked at', () => {
  const protocol = protocolFor(steps, true);
  protocol.compose(0, false);
  const response = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
  expect(protocol.read(response, response.length)).toBe(complete);
  expect(protocol.examine(0)).toBeNull();
});

/** Protects checks of compressed and partly kept bodies. */

function examined(body: Buffer, encoding: string, bodyBytes = body.length) {
  const user = userOf([{ checks: [{ type: 'body_contains', text: 'hello' }] }]);
  return examineKept(user, 0, { fields: [['content-encoding', encoding]], body, bodyBytes });
}

const hello = Buffer.from('say hello');

test.each([
  ['identity', hello],
  ['gzip', gzipSync(hello)],
  ['Deflate', deflateSync(hello)],
  ['br', brotliCompressSync(hello)],
  ['gzip, br', brotliCompressSync(gzipSync(hello))],
])('a body in the coding %s is checked as what it stands for', (encoding, body) => {
  expect(examined(body, encoding)).toBeNull();
});

test('a body that is not in the coding it names is malformed', () => {
  expect(examined(hello, 'gzip')?.outcome).toBe('malformed_response');
});

test('a body that unpacks to more than is looked at is not unpacked further', () => {
  expect(examined(gzipSync(Buffer.alloc(mostKeptBytes + 1)), 'gzip')?.outcome).toBe('malformed_response');
});

test('a body of which only the beginning was kept fails its check', () => {
  expect(examined(hello, 'identity', mostKeptBytes + 1)?.outcome).toBe('check_failed');
});

test('header names are compared without regard to case', () => {
  const user = userOf([{ extract: [{ from: 'header', variable: 'v', name: 'X-Here' }] }]);
  const kept = { fields: [['x-here', '1'] as const], body: Buffer.alloc(0), bodyBytes: 0 };
  expect(examineKept(user, 0, kept)).toBeNull();
});

/** Protects the bytes of a request: its length, its Host and its Connection. */

const scenario = scenarioSchema.parse({
  name: 'two',
  steps: [
    { name: 'look', method: 'GET', path: '/a?b=c', headers: { accept: 'text/html', 'x-a': ['b', 'c'] } },
    { name: 'send', method: 'POST', path: '/d', body: 'ü=1' },
  ],
});

const bytesListener: Listener = {
  arm: 'baseline',
  transport: 'http',
  hostname: 'shop.test',
  address: '127.0.0.1',
  port: 8080,
  ca: null,
  pid: null,
};

const texts = (close: boolean) =>
  assembleRequests(scenario, bytesListener, close).map(({ bytes }) => bytes.toString('utf8'));

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
  const sent = assembleRequests(scenarioSchema.parse({ name: 'odd', steps }), bytesListener, false);
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
      assembleRequests(scenario, { ...bytesListener, ...changes }, false)[0]?.bytes.toString() ?? '',
    )?.[1];
  expect(hostOf({ port: 80 })).toBe('shop.test');
  expect(hostOf({ port: 443 })).toBe('shop.test:443');
  expect(hostOf({ port: 443, transport: 'https' })).toBe('shop.test');
  expect(hostOf({ hostname: '::1' })).toBe('[::1]:8080');
});
