/** Protects scenarios under load: each visitor sends the values it received itself, over every transport. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2, createSecureServer as createHttp2WithTls } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tlsProfileSchema } from '../../../shared/base/tls-profile.ts';
import { isEncrypted, type Transport } from '../../../shared/base/transport.ts';
import { transportSchema } from '../../../shared/base/transport-schema.ts';
import type { LoadResult } from '../../../shared/kinds/comparison/slot.ts';
import { type ScenarioInput, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { type Authority, openAuthority } from '../../targets/certificates/certificate-authority.ts';
import { type Generator, startGenerator } from './start-generator.ts';

/** A shop whose every answer depends on what the visitor was told before, over each transport. */

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-scenario-'));
let authority: Authority;
let generator: Generator;

beforeAll(async () => {
  authority = await openAuthority(directory);
  generator = await startGenerator();
});
afterAll(async () => {
  await generator.stop();
  rmSync(directory, { recursive: true });
});

const visit: ScenarioInput = {
  name: 'order',
  cookies: true,
  data: { columns: ['item'], rows: [['a/1'], ['b & 2'], ['ü']] },
  steps: [
    {
      name: 'form',
      method: 'GET',
      path: '/form?item=${item}',
      headers: { 'accept-encoding': 'gzip' },
      checks: [{ type: 'body_contains', text: 'csrf' }],
      extract: [{ from: 'hidden_input', variable: 'token', name: 'csrf' }],
    },
    {
      name: 'order',
      method: 'POST',
      path: '/orders',
      headers: { 'content-type': 'application/json' },
      body: '{"token":"${token}","item":"${item}"}',
      expectStatus: 303,
      extract: [{ from: 'header', variable: 'id', name: 'location', pattern: '/orders/(\\d+)' }],
    },
    {
      name: 'look',
      method: 'GET',
      path: '/orders/${id}',
      checks: [{ type: 'json_path', path: '$.paid', equals: true }],
    },
  ],
};

/** Orders of each visitor, by session; a request that does not fit them is answered with 409. */
class Shop {
  readonly items: string[] = [];
  #visitors = 0;

  answer(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => this.#answer(request, Buffer.concat(chunks).toString(), response));
  }

  #answer(request: IncomingMessage, body: string, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://shop.test');
    const session = /^sid=(\d+)$/.exec(request.headers.cookie ?? '')?.[1];
    if (url.pathname === '/form' && request.headers.cookie === undefined) {
      const sid = ++this.#visitors;
      this.items[sid] = url.searchParams.get('item') ?? '';
      response.setHeader('Set-Cookie', `sid=${sid}; Path=/; HttpOnly`);
      response.setHeader('Content-Encoding', 'gzip');
      response.end(gzipSync(`<form><input type=hidden name="csrf" value="&quot;${sid}&quot;"></form>`));
    } else if (url.pathname === '/orders' && session !== undefined) {
      const expected = { token: `"${session}"`, item: this.items[Number(session)] };
      response.statusCode = body === JSON.stringify(expected) ? 303 : 409;
      response.setHeader('Location', `/orders/${session}`);
      response.end();
    } else {
      const known = session !== undefined && url.pathname === `/orders/${session}`;
      response.statusCode = known ? 200 : 409;
      response.end('{"paid":true}');
    }
  }
}

async function order(
  transport: Transport,
  shop: Pick<Shop, 'answer'>,
  scenario = visit,
): Promise<LoadResult> {
  const certificate = { key: authority.keyPem, cert: authority.certPem };
  const listener = (request: IncomingMessage, response: ServerResponse) => shop.answer(request, response);
  const create: Record<Transport, () => Server> = {
    http: () => createHttp(listener),
    https: () => createHttps(certificate, listener),
    h2c: () => createHttp2(listener as never),
    h2: () => createHttp2WithTls(certificate, listener as never),
  };
  const server = create[transport]();
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await generator.configure({
      listeners: [
        {
          arm: 'baseline',
          transport,
          hostname: authority.hostname,
          address: '127.0.0.1',
          port: (server.address() as AddressInfo).port,
          ca: isEncrypted(transport) ? authority.caPem : null,
          pid: null,
        },
      ],
      scenario: scenarioSchema.parse(scenario),
      tls: tlsProfileSchema.parse({}),
      connectionPolicy: 'keep-alive',
      connections: 2,
      requestTimeoutMs: 2000,
    });
    await generator.prepare('baseline');
    return await generator.run('baseline', { durationMs: 600, discardMs: 0, ratePerS: null, firstRow: 1 });
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

test.each(transportSchema.options)(
  'over %s each visitor sends back what it was told, and the rows go round',
  async (transport) => {
    const shop = new Shop();
    const result = await order(transport, shop);
    expect(result.errors).toEqual([]);
    expect(result.succeeded).toBeGreaterThan(6);
    expect(result.requests).toBe(result.succeeded * 3);
    expect(shop.items.slice(1, 3).toSorted()).toEqual(['b & 2', 'ü']);
    expect([...new Set(shop.items.slice(1))].toSorted()).toEqual(['a/1', 'b & 2', 'ü']);
  },
);

test.each(['http', 'h2c'] as const)('over %s a check that fails is a counted error', async (transport) => {
  const [form, post, look] = visit.steps;
  if (form === undefined || post === undefined || look === undefined) throw new Error('three steps');
  const unpaid = { ...look, checks: [{ type: 'json_path' as const, path: '$.paid', equals: false }] };
  const result = await order(transport, new Shop(), { ...visit, steps: [form, post, unpaid] });
  expect(result.errors).toEqual([
    {
      transport,
      step: 'look',
      outcome: 'check_failed',
      detail: 'the body has no false at $.paid',
      count: result.started,
    },
  ]);
});

test.each(transportSchema.options)(
  'over %s any path and method goes to the target, each with its own origin, with cookies and without',
  async (transport) => {
    const headers = { origin: '${origin}', referer: '${origin}/form', 'content-type': 'text/plain' };
    const step = (method: 'GET' | 'PROPFIND' | 'REPORT', path: string) => ({
      ...{ name: path, method, path, headers, body: 'from=${origin}' },
    });
    const steps = [
      step('GET', '//elsewhere.invalid/x'),
      step('PROPFIND', '/urn:a:b'),
      step('REPORT', '/?to=${origin}'),
    ];
    for (const cookies of [false, true]) {
      const seen = new Set<string>();
      const answer = (request: IncomingMessage, response: ServerResponse) => {
        const { origin, referer } = request.headers;
        const host = request.headers.host ?? request.headers[':authority'];
        const own = `${isEncrypted(transport) ? 'https' : 'http'}://${host}`;
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const told = [request.url, origin, referer, Buffer.concat(chunks).toString()].join(' ');
          seen.add(
            `${request.method} ${told.replaceAll(own, 'OWN').replace(encodeURIComponent(own), 'OWN')}`,
          );
          response.setHeader('Set-Cookie', 'sid=1');
          response.end();
        });
      };
      const result = await order(transport, { answer }, { name: 'odd', cookies, steps });
      expect(result.errors).toEqual([]);
      expect([...seen].toSorted()).toEqual([
        'GET //elsewhere.invalid/x OWN OWN/form from=OWN',
        'PROPFIND /urn:a:b OWN OWN/form from=OWN',
        'REPORT /?to=OWN OWN OWN/form from=OWN',
      ]);
    }
  },
);
