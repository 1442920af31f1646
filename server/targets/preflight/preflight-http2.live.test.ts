/** Protects the preflight over HTTP/2: what differs in TLS alone passes, each problem is named. */
import { createServer as createHttp2, createSecureServer, type Http2Server } from 'node:http2';
import { createServer as createTcp, type Server } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { expect, test } from 'vitest';
import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import type { Listener } from '../../../shared/target/target.ts';
import {
  check,
  checkOf,
  expectProblem,
  httpAt,
  httpsAt,
  listen,
  serveHttp,
  serveHttps,
  shopCertificate,
} from '../../testing/preflight-in-test.ts';

type Answer = Parameters<Http2Server['on']>[1];

const shop: Answer = (_request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<h1>Shop</h1>');
};

function serving(server: Server, application: Answer): Promise<number> {
  server.on('request', application);
  server.on('sessionError', () => {});
  return listen(server);
}
const serveH2c = (application = shop) => serving(createHttp2(), application);
const serveH2 = (application = shop, options: TlsOptions = {}) =>
  serving(createSecureServer({ ...shopCertificate, ALPNProtocols: ['h2'], ...options }), application);

const h2cAt = (port: number): Listener => ({ ...httpAt(port), transport: 'h2c' });
const h2At = (port: number): Listener => ({ ...httpsAt(port), transport: 'h2' });

const notTlsAlone = {
  status: 'warn',
  message:
    'HTTP/2 here and HTTP/1.1 on the other side, as requested. The difference does not come from TLS alone.',
};

test('HTTP/2 on both sides differs in TLS alone, and passes every check', async () => {
  const report = await check(h2cAt(await serveH2c()), h2At(await serveH2()));
  expect(report).toMatchObject({
    ok: true,
    problem: null,
    sides: { baseline: { transport: 'h2c' }, comparison: { transport: 'h2' } },
  });
  for (const side of Object.values(report.sides)) {
    expect(side.checks.filter(({ status }) => status === 'fail' || status === 'warn')).toEqual([]);
    expect(
      side.responses.map(({ status, httpVersion, bodyBytes }) => [status, httpVersion, bodyBytes]),
    ).toEqual([
      [200, '2.0', 13],
      [200, '2.0', 13],
    ]);
  }
  expect(Object.values(report.sides).map(({ origin }) => origin.split(':')[0])).toEqual(['http', 'https']);
  expect(checkOf(report, 'comparison', 'http_version')).toMatchObject({ status: 'pass', message: 'HTTP/2.' });
  expect([report.sides.baseline.tls, report.sides.comparison.tls?.alpn]).toEqual([null, 'h2']);
  expect(checkOf(report, 'comparison', 'resumption').message).toMatch(/All 20 handshakes were full/);
});

test('HTTP/2 against HTTP/1.1 is allowed when it is asked for, and never passes as TLS alone', async () => {
  const [http, https, h2] = [httpAt(await serveHttp()), httpsAt(await serveHttps()), h2At(await serveH2())];
  for (const baseline of [http, https]) {
    const report = await check(baseline, h2);
    expect(report.problem).toBeNull();
    expect(checkOf(report, 'comparison', 'http_version')).toMatchObject(notTlsAlone);
    expect(checkOf(report, 'baseline', 'http_version')).toMatchObject({
      status: 'pass',
      message: 'HTTP/1.1.',
    });
  }
  const reversed = await check(h2, http);
  expect(checkOf(reversed, 'comparison', 'http_version')).toMatchObject({
    status: 'warn',
    message: expect.stringMatching(/^HTTP\/1\.1 here and HTTP\/2 on the other side/),
  });
});

test('the requests are those of the load generator, on one connection a transaction or one a request', async () => {
  for (const [connectionPolicy, connections] of [
    ['keep-alive', 1],
    ['connection-per-request', 2],
  ] as const) {
    const seen: string[] = [];
    const sessions = new Set<unknown>();
    const port = await serveH2((request, response) => {
      sessions.add(request.stream.session);
      const { accept, 'user-agent': agent, 'content-length': length = '-' } = request.headers;
      seen.push([request.method, request.url, request.authority, accept, agent, length].join(' '));
      shop(request, response);
    });
    expect((await check(h2At(port), h2At(port), { connectionPolicy })).problem).toBeNull();
    const visit = [`GET / shop.test:${port} */* tls-toll -`, `POST /search shop.test:${port} */* tls-toll 3`];
    expect(seen.sort()).toEqual([...visit, ...visit].sort());
    expect(sessions.size).toBe(2 * connections);
  }
});

test('a server that does not offer HTTP/2 over TLS is named with what to do, ALPN or not', async () => {
  const advice = /does not offer HTTP\/2 over TLS\. Enable it on the server, or choose the transport https/;
  const plain = httpAt(await serveHttp());
  const refusing = await check(plain, h2At(await serveHttps()));
  expectProblem(refusing, 'comparison', 'http_version', advice);
  expect(checkOf(refusing, 'comparison', 'certificate').message).toBe('Not reached.');
  const deaf = await check(
    plain,
    h2At(await serveHttps(undefined, { ...shopCertificate, ALPNProtocols: [] })),
  );
  expectProblem(deaf, 'comparison', 'http_version', advice);
  expect(checkOf(deaf, 'comparison', 'certificate').status).toBe('pass');
});

test('a server that offers HTTP/2 only is named to a run of https', async () => {
  const report = await check(httpAt(await serveHttp()), httpsAt(await serveH2()));
  expectProblem(
    report,
    'comparison',
    'http_version',
    /does not offer HTTP\/1\.1 over TLS.*choose the transport h2/,
  );
});

test('a server that does not speak HTTP/2 without TLS is named, whether it answers or hangs up', async () => {
  const advice = /does not speak HTTP\/2\. Enable HTTP\/2 without TLS.*choose the transport http/;
  const hangingUp = createTcp((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end());
  });
  const h2 = h2At(await serveH2());
  for (const port of [await serveHttp(), await listen(hangingUp)]) {
    expectProblem(await check(h2cAt(port), h2), 'baseline', 'http_version', advice);
  }
});

test('TLS behind a port for h2c is recognized', async () => {
  const port = await serveH2();
  expectProblem(await check(h2cAt(port), h2At(port)), 'baseline', 'tls', /speaks TLS, not plain HTTP/);
});

test('a server that says nothing is given up', async () => {
  const silent = await listen(createTcp());
  const report = await check(h2cAt(silent), h2At(await serveH2()), { timeoutMs: 1000 });
  expectProblem(report, 'baseline', 'status', /Step “home” got no response from .* within 1 s/);
});

test('an answer that breaks off is not an answer', async () => {
  const breaking: Answer = (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half', () => response.stream.close(2));
  };
  const report = await check(h2cAt(await serveH2c(breaking)), h2At(await serveH2()));
  expectProblem(
    report,
    'baseline',
    'status',
    /Step “home” got 4 of 1000 bytes of the body: .* reset the stream/,
  );
});

test('a Secure cookie that h2c loses is not comparable', async () => {
  const withCookie: Answer = (request, response) => {
    response.setHeader('set-cookie', 'sid=1; Secure');
    shop(request, response);
  };
  const report = await check(h2cAt(await serveH2c()), h2At(await serveH2(withCookie)));
  expectProblem(report, 'baseline', 'cookies', /“sid” as Secure, which is lost without TLS/);
});

test('sessions are resumed over HTTP/2 where the run plans it, for all or for a share', async () => {
  const [h2c, h2] = [h2cAt(await serveH2c()), h2At(await serveH2())];
  for (const resumption of ['tickets', 'mix'] as const) {
    const report = await check(h2c, h2, { tls: { ...defaultTlsProfile, resumption } });
    expect(checkOf(report, 'comparison', 'resumption').message).toMatch(
      /All 19 connections after the first resumed/,
    );
  }
});

const tls13 = { ...defaultTlsProfile, version: 'TLSv1.3' } as const;
const tls12 = { ...defaultTlsProfile, version: 'TLSv1.2' } as const;

test.each([
  [{ ...tls13, cipher: 'TLS_CHACHA20_POLY1305_SHA256' }, { cipher: 'TLS_CHACHA20_POLY1305_SHA256' }],
  [
    { ...tls12, cipher: 'ECDHE-ECDSA-AES256-GCM-SHA384' },
    { cipher: 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384' },
  ],
  [{ ...defaultTlsProfile, cipher: 'TLS_AES_128_GCM_SHA256' }, { protocol: 'TLSv1.3' }],
  [{ ...defaultTlsProfile, cipher: 'ECDHE-ECDSA-AES256-GCM-SHA384' }, { protocol: 'TLSv1.2' }],
  [
    { ...defaultTlsProfile, group: 'P-384' },
    { protocol: 'TLSv1.3', group: 'P-384' },
  ],
  [{ ...tls13, group: 'X25519' }, { group: 'X25519' }],
  [{ ...tls13, group: 'P-256' }, { group: 'P-256' }],
  [{ ...tls13, group: 'X25519MLKEM768' }, { group: 'X25519MLKEM768' }],
  [{ ...tls12, group: 'X25519' }, { group: 'X25519' }],
])('what a run asks for is what is negotiated: %o', async (tls, negotiated) => {
  const report = await check(httpAt(await serveHttp()), httpsAt(await serveHttps()), { tls });
  expect(report.problem).toBeNull();
  expect(report.sides.comparison.tls).toMatchObject(negotiated);
});

test.each([
  [{ ...tls13, cipher: 'TLS_NONSENSE' }, /The cipher suite “TLS_NONSENSE” is unknown/],
  [{ ...tls12, cipher: 'NONSENSE' }, /The cipher suite “NONSENSE” is unknown/],
  [{ ...tls13, cipher: 'ECDHE-ECDSA-AES256-GCM-SHA384' }, /is not available in TLS 1\.3/],
  [{ ...tls12, cipher: 'TLS_AES_128_GCM_SHA256' }, /is not available in TLS 1\.2/],
  [{ ...tls13, group: 'X25520' }, /The group “X25520” is unknown/],
  [{ ...tls13, group: 'brainpoolP256r1' }, /The group “brainpoolP256r1” is not available in TLS 1\.3/],
  [{ ...tls12, group: 'X25519MLKEM768' }, /negotiated P-256, not “X25519MLKEM768”/],
  [{ ...tls12, cipher: 'ECDHE-RSA-AES128-GCM-SHA256' }, /does not accept the suite ECDHE-RSA-AES128/],
])('a choice that cannot be is named: %o', async (tls, message) => {
  const report = await check(httpAt(await serveHttp()), httpsAt(await serveHttps()), { tls });
  expectProblem(report, 'comparison', 'tls', message);
});

test('a certificate that is not to be checked is not, and it is said', async () => {
  const untrusted = { ...httpsAt(await serveHttps()), ca: null };
  const report = await check(httpAt(await serveHttp()), untrusted, { tls: { ...tls13, verify: false } });
  expect(report.problem).toBeNull();
  expect(checkOf(report, 'comparison', 'certificate').message).toMatch(
    /^Not checked, as planned; for shop\.test, until/,
  );
});

test('a group that the server does not have is named', async () => {
  const port = await serveHttps(undefined, { ...shopCertificate, ecdhCurve: 'P-384' });
  const tls = { ...tls13, group: 'X25519' };
  const report = await check(httpAt(await serveHttp()), httpsAt(port), { tls });
  expectProblem(report, 'comparison', 'tls', /does not accept the group X25519/);
});

test('an authority that is not trusted is named over HTTP/2 as well', async () => {
  const untrusted = { ...h2At(await serveH2()), ca: null };
  expectProblem(
    await check(httpAt(await serveHttp()), untrusted),
    'comparison',
    'certificate',
    /an unknown authority/,
  );
});
