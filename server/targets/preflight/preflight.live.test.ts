/** Protects the preflight: healthy sides pass every check, each problem is named with its side and step. */
import { constants } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect, createServer as createTcp } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { defaultTlsProfile, type TlsProfile } from '../../../shared/base/tls-profile.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { checkIdSchema, preflightReportSchema } from '../../../shared/target/preflight.ts';
import {
  check,
  checkOf,
  day,
  expectProblem,
  httpAt,
  httpsAt,
  issue,
  issueSelfSigned,
  listen,
  page,
  serveHttp,
  serveHttps,
  shop,
  shopCertificate,
  validFor,
} from '../../testing/preflight-in-test.ts';
import { issueAuthority } from '../certificates/issue-certificate.ts';

test('two healthy sides pass every check, each in its order and with what was agreed on', async () => {
  const report = await check(httpAt(await serveHttp()), httpsAt(await serveHttps()));
  expect(preflightReportSchema.parse(report)).toEqual(report);
  expect(report).toMatchObject({
    ok: true,
    problem: null,
    sides: { baseline: { transport: 'http' }, comparison: { transport: 'https' } },
  });
  for (const side of Object.values(report.sides)) {
    expect(side.checks.map(({ id }) => id)).toEqual(checkIdSchema.options);
    expect(side.checks.filter(({ status }) => status === 'fail' || status === 'warn')).toEqual([]);
    expect(side.responses.map(({ step, status, bodyBytes }) => [step, status, bodyBytes])).toEqual([
      ['home', 200, 13],
      ['search', 200, 13],
    ]);
  }
  expect(report.sides.baseline.tls).toBeNull();
  expect(report.sides.comparison.tls).toMatchObject({
    protocol: 'TLSv1.3',
    key: 'EC P-256',
    alpn: 'http/1.1',
  });
  expect(report.sides.comparison.tls?.group).toMatch(/X25519/);
  expect(checkOf(report, 'comparison', 'certificate').message).toMatch(
    /^Trusted; for shop\.test, until \d{4}-\d\d-\d\d\.$/,
  );
  expect(checkOf(report, 'comparison', 'content').message).toMatch(/byte for byte/);
});

test('a side compared with its twin passes, over either transport', async () => {
  const [http, https] = [httpAt(await serveHttp()), httpsAt(await serveHttps())];
  expect((await check(http, http)).problem).toBeNull();
  expect((await check(https, https)).problem).toBeNull();
});

test('the requests are those of the load generator, over one connection a transaction', async () => {
  const seen: string[] = [];
  const ports = new Set<number | undefined>();
  const port = await serveHttp((request, response) => {
    ports.add(request.socket.remotePort);
    const { host, accept, 'user-agent': agent, 'content-length': length = '-' } = request.headers;
    seen.push([request.method, request.url, host, accept, agent, length].join(' '));
    shop(request, response);
  });
  await check(httpAt(port), httpsAt(await serveHttps()));
  expect(seen).toEqual([
    `GET / shop.test:${port} */* tls-toll -`,
    `POST /search shop.test:${port} */* tls-toll 3`,
  ]);
  expect(ports.size).toBe(1);
});

test('a connection per request is what the server sees under that policy', async () => {
  const ports = new Set<number | undefined>();
  const port = await serveHttp((request, response) => {
    ports.add(request.socket.remotePort);
    shop(request, response);
  });
  await check(httpAt(port), httpsAt(await serveHttps()), { connectionPolicy: 'connection-per-request' });
  expect(ports.size).toBe(2);
});

test('a closed port is named, on its own side', async () => {
  const http = await serveHttp();
  const server = createHttps(shopCertificate);
  const closed = await listen(server);
  server.close();
  const report = await check(httpAt(http), httpsAt(closed));
  expectProblem(report, 'comparison', 'connect', new RegExp(`Nothing is listening on 127.0.0.1:${closed}`));
  expect(checkOf(report, 'baseline', 'connect').status).toBe('pass');
  expect(checkOf(report, 'comparison', 'status').status).toBe('skipped');
});

const nonsense = '-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n';
const yesterday = new Date(Date.now() - day).toISOString().slice(0, 10);

test.each<[string, RegExp, () => Promise<{ issued?: typeof shopCertificate; ca?: string | null }>]>([
  [
    'self-signed: it says what to give',
    /self-signed\. Give the certificate itself .*--trust ([0-9A-F]{2}:){31}/,
    async () => ({ issued: await issueSelfSigned('shop.test'), ca: null }),
  ],
  [
    'of an unknown authority: it says what to give',
    /“Test authority”, an unknown authority\. Give .*--trust ([0-9A-F]{2}:){31}/,
    async () => ({ ca: null }),
  ],
  [
    'of another authority than the given one',
    /“Test authority”, which is not the CA that you gave/,
    async () => ({ ca: (await issueAuthority('Another authority', validFor(-1, 1))).certificatePem }),
  ],
  [
    'held against a CA that is no certificate',
    /CA is not a readable PEM certificate/,
    async () => ({ ca: nonsense }),
  ],
  [
    'for another name',
    /is for other\.test, not for shop\.test/,
    async () => ({ issued: await issue('other.test') }),
  ],
  [
    'that has expired',
    new RegExp(`expired on ${yesterday}`),
    async () => ({ issued: await issue('shop.test', validFor(-30, -1)) }),
  ],
])('a certificate is refused that is %s', async (_, message, given) => {
  const { issued, ca } = await given();
  const report = await check(httpAt(await serveHttp()), httpsAt(await serveHttps(shop, issued), ca));
  expectProblem(report, 'comparison', 'certificate', message);
});

test('swapped ports are recognized on both sides', async () => {
  const [http, https] = [await serveHttp(), await serveHttps()];
  const report = await check(httpAt(https), httpsAt(http));
  expectProblem(report, 'baseline', 'tls', /speaks TLS, not plain HTTP\. Are the ports swapped/);
  expect(checkOf(report, 'comparison', 'tls').message).toMatch(
    /speaks plain HTTP, not TLS\. Are the ports swapped/,
  );
});

test('one port for both addresses that speaks one scheme only is not called swapped', async () => {
  const [http, https] = [await serveHttp(), await serveHttps()];
  const onOne = (port: number) => {
    const sharesPort = true as const;
    return check({ ...httpAt(port), sharesPort }, { ...httpsAt(port), sharesPort });
  };
  const remedy = (scheme: string) =>
    `Both addresses use this port. Give the ${scheme} address the port that does.`;
  expect((await onOne(http)).problem).toBe(
    `127.0.0.1:${http} speaks plain HTTP, not TLS. ${remedy('HTTPS')}`,
  );
  expect((await onOne(https)).problem).toBe(
    `127.0.0.1:${https} speaks TLS, not plain HTTP. ${remedy('HTTP')}`,
  );
});

test('a TLS server that answers plain HTTP with a 400 is recognized as well', async () => {
  const https = await serveHttps();
  const polite = createTcp((socket) => {
    socket.on('error', () => {});
    socket.once('data', (chunk) => {
      if (chunk[0] !== 22) return socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
      const upstream = connect(https, '127.0.0.1').on('error', () => {});
      upstream.write(chunk);
      return socket.pipe(upstream).pipe(socket);
    });
  });
  const report = await check(httpAt(await listen(polite)), httpsAt(https));
  expectProblem(report, 'baseline', 'tls', /speaks TLS, not plain HTTP/);
});

test('a TLS version that the server does not offer is named with the other one', async () => {
  const port = await serveHttps(shop, { ...shopCertificate, maxVersion: 'TLSv1.2' });
  const tls: TlsProfile = { ...defaultTlsProfile, version: 'TLSv1.3' };
  const report = await check(httpAt(await serveHttp()), httpsAt(port), { tls });
  const said = /^127\.0\.0\.1:\d+ speaks TLS 1\.2 at most\. Choose TLS 1\.2, or enable 1\.3 on the server\.$/;
  expectProblem(report, 'comparison', 'tls', said);
});

test('a server that knows one loopback address only is told from where new connections come', async () => {
  const strict: RequestListener = (request, response) => {
    response.statusCode = request.socket.remoteAddress === '127.0.0.1' ? 200 : 403;
    response.end('shop');
  };
  const [http, https] = [httpAt(await serveHttp(strict)), httpsAt(await serveHttps(strict))];
  expect((await check(http, https)).problem).toBeNull();
  const report = await check(http, https, { connectionPolicy: 'connection-per-transaction' });
  expectProblem(
    report,
    'baseline',
    'status',
    /403 on both sides\. New connections come from 127\.17\.0\.1 to 127\.17\.3\.254/,
  );
});

test('the best version of both ends is taken where none is asked for', async () => {
  const http = httpAt(await serveHttp());
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const report = await check(http, httpsAt(await serveHttps(shop, { ...shopCertificate, maxVersion })));
    expect(report.problem).toBeNull();
    expect(report.sides.comparison.tls?.protocol).toBe(maxVersion);
  }
});

test('two sides with TLS of different versions are compared, and it is said', async () => {
  const older = httpsAt(await serveHttps(shop, { ...shopCertificate, maxVersion: 'TLSv1.2' }));
  const report = await check({ ...older, arm: 'baseline' }, httpsAt(await serveHttps()));
  expect(report.problem).toBeNull();
  expect(checkOf(report, 'comparison', 'tls')).toMatchObject({
    status: 'warn',
    message: expect.stringMatching(/^TLS 1\.3, .*\. The other side differs in the TLS version \(TLS 1\.2\)/),
  });
});

test('what was to differ in TLS is no difference, what differs besides is', async () => {
  const asking = (tls: Partial<TlsProfile>) => ({ tls: { ...defaultTlsProfile, ...tls } });
  const between = async (one: Partial<TlsProfile>, other: Partial<TlsProfile>) => {
    const [first, second] = [httpsAt(await serveHttps()), httpsAt(await serveHttps())];
    const report = await check(
      { ...first, arm: 'baseline', ...asking(one) },
      { ...second, ...asking(other) },
    );
    return checkOf(report, 'comparison', 'tls');
  };
  expect(await between({ group: 'X25519' }, { group: 'X25519MLKEM768' })).toMatchObject({ status: 'pass' });
  expect(await between({ version: 'TLSv1.2' }, { version: 'TLSv1.3' })).toMatchObject({
    status: 'warn',
    message: expect.stringMatching(
      /differs in the cipher suite \(AES-128-GCM\) and the key agreement group \(X25519\)\. /,
    ),
  });
  const group = 'X25519';
  const cipher = 'TLS_AES_128_GCM_SHA256';
  const alike = await between({ version: 'TLSv1.2', group }, { version: 'TLSv1.3', group, cipher });
  expect(alike).toMatchObject({ status: 'pass' });
});

test('a server that speaks neither version is named, and no version is offered instead', async () => {
  const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
  const report = await check(
    httpAt(await serveHttp()),
    httpsAt(await serveHttps(shop, { ...shopCertificate, ...old })),
  );
  expectProblem(report, 'comparison', 'tls', /speaks neither TLS 1\.3 nor TLS 1\.2/);
});

test('versions that change from one connection to the next are refused', async () => {
  let connections = 0;
  const https = createHttps(shopCertificate, shop);
  https.on('connection', () => {
    const maxVersion = connections++ % 2 === 0 ? 'TLSv1.2' : 'TLSv1.3';
    https.setSecureContext({ ...shopCertificate, maxVersion });
  });
  const report = await check(httpAt(await serveHttp()), httpsAt(await listen(https)));
  expectProblem(report, 'comparison', 'tls', /differ in the protocol \(TLSv1\.\d, TLSv1\.\d\)/);
});

test('a server that asks every client for another key share is measured, and its round trip is named', async () => {
  const port = await serveHttps(shop, { ...shopCertificate, ecdhCurve: 'P-384' });
  const report = await check(httpAt(await serveHttp()), httpsAt(port));
  expect(report.problem).toBeNull();
  expect(checkOf(report, 'comparison', 'tls')).toMatchObject({
    status: 'warn',
    message: expect.stringMatching(/P-384.*another round trip \(HelloRetryRequest\)/),
  });
});

test('suites that change from one connection to the next are refused', async () => {
  let connections = 0;
  const https = createHttps(shopCertificate, shop);
  https.on('connection', () => {
    const ciphers = connections++ % 2 === 0 ? 'TLS_AES_128_GCM_SHA256' : 'TLS_AES_256_GCM_SHA384';
    https.setSecureContext({ ...shopCertificate, ciphers });
  });
  const report = await check(httpAt(await serveHttp()), httpsAt(await listen(https)));
  expectProblem(report, 'comparison', 'tls', /differ in the cipher suite \(TLS_AES_\d+_GCM_SHA\d+, TLS_AES/);
});

test('sessions are resumed where the run plans it', async () => {
  const tls: TlsProfile = { ...defaultTlsProfile, resumption: 'tickets' };
  const report = await check(httpAt(await serveHttp()), httpsAt(await serveHttps()), { tls });
  expect(report.problem).toBeNull();
  expect(checkOf(report, 'comparison', 'resumption').message).toMatch(
    /All 19 connections after the first resumed/,
  );
});

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  '%s without tickets cannot be planned with resumption',
  async (version) => {
    const withoutTickets = { ...shopCertificate, secureOptions: constants.SSL_OP_NO_TICKET };
    const port = await serveHttps(shop, withoutTickets);
    const tls: TlsProfile = { ...defaultTlsProfile, version, resumption: 'tickets' };
    const report = await check(httpAt(await serveHttp()), httpsAt(port), { tls });
    expect(report.sides.comparison.tls?.protocol).toBe(version);
    expectProblem(report, 'comparison', 'resumption', /issues no session tickets|resumed none/);
  },
);

test('a redirect from http to https is not comparable, and the step is named', async () => {
  const https = await serveHttps();
  const http = await serveHttp((request, response) => {
    response.writeHead(301, { location: `https://shop.test:${https}${request.url}` }).end();
  });
  const report = await check(httpAt(http), httpsAt(https));
  expectProblem(report, 'baseline', 'redirect', /Not comparable: step “home” redirects from http to https/);
});

test('a redirect that the scenario does not expect is named with its path', async () => {
  const moved: RequestListener = (_request, response) => response.writeHead(302, { location: '/en/' }).end();
  const report = await check(httpAt(await serveHttp(moved)), httpsAt(await serveHttps(moved)));
  expectProblem(report, 'baseline', 'redirect', /Step “home” redirects to \/en\/ instead of answering 200/);
});

test('a redirect that is expected and the same on both sides passes', async () => {
  const moved: RequestListener = (_request, response) => response.writeHead(303, { location: '/done' }).end();
  const expecting = scenarioSchema.parse({
    name: 'order',
    steps: [{ name: 'order', method: 'POST', path: '/', expectStatus: 303 }],
  });
  const listeners = [httpAt(await serveHttp(moved)), httpsAt(await serveHttps(moved))] as const;
  const report = await check(...listeners, { scenario: expecting });
  expect(report.problem).toBeNull();
});

test('a Secure cookie that the http side loses is not comparable, and step and cookie are named', async () => {
  const withCookie = (cookie: string): RequestListener => {
    return (request, response) => {
      response.setHeader('set-cookie', cookie);
      shop(request, response);
    };
  };
  const secure = await serveHttps(withCookie('sid=1; Path=/; Secure; HttpOnly'));
  const lost = /Not comparable: step “home” sets the cookie “sid” as Secure/;
  const sameOnBoth = await serveHttp(withCookie('sid=1; Secure'));
  expectProblem(await check(httpAt(sameOnBoth), httpsAt(secure)), 'baseline', 'cookies', lost);
  const notSentAtAll = await serveHttp();
  expectProblem(await check(httpAt(notSentAtAll), httpsAt(secure)), 'baseline', 'cookies', lost);
  const adapted = await serveHttp(withCookie('sid=1; Path=/; HttpOnly'));
  expect((await check(httpAt(adapted), httpsAt(secure))).problem).toBeNull();
});

test('another body is another application', async () => {
  const https = await serveHttps(page('<h1>Something else altogether</h1>'));
  const report = await check(httpAt(await serveHttp()), httpsAt(https));
  expectProblem(
    report,
    'comparison',
    'content',
    /Step “home” has 34 bytes here and 13 .* not serve the same application/,
  );
  expect(checkOf(report, 'baseline', 'content').status).toBe('pass');
});

test('another content type is another application', async () => {
  const https = await serveHttps((_request, response) => response.end('<h1>Shop</h1>'));
  expectProblem(
    await check(httpAt(await serveHttp()), httpsAt(https)),
    'comparison',
    'content',
    /“text\/html” on the other/,
  );
});

test('a page that changes with each request is said, not refused', async () => {
  let visits = 100;
  const counting: RequestListener = (request, response) =>
    page(`<p>Visit ${visits++}</p>`)(request, response);
  const report = await check(httpAt(await serveHttp(counting)), httpsAt(await serveHttps(counting)));
  expect(report.ok).toBe(true);
  expect(checkOf(report, 'comparison', 'content')).toMatchObject({
    status: 'warn',
    message: expect.stringMatching(/2 steps/),
  });
});

test('a 500 over https is refused with the step and both statuses', async () => {
  const failing: RequestListener = (_request, response) => response.writeHead(500).end('no');
  const report = await check(httpAt(await serveHttp()), httpsAt(await serveHttps(failing)));
  expectProblem(report, 'comparison', 'status', /Step “home” answered 500 instead of 200/);
});

test('compression on one side only is not comparable, and does not pass for other content', async () => {
  const compressing: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
    response.end(gzipSync('<h1>Shop</h1>'));
  };
  const report = await check(httpAt(await serveHttp()), httpsAt(await serveHttps(compressing)));
  expectProblem(
    report,
    'comparison',
    'encoding',
    /compressed with gzip here and not compressed on the other side/,
  );
  expect(checkOf(report, 'comparison', 'content').status).toBe('skipped');
});

/** Ends so many connections, by one word of a list. */
const closing = (times: number): RequestListener => {
  let left = times;
  return (request, response) => {
    if (left-- > 0) response.setHeader('connection', 'TE, close');
    shop(request, response);
  };
};

test('a side that ends every connection is not comparable with one that keeps them', async () => {
  const always = closing(Number.POSITIVE_INFINITY);
  const report = await check(httpAt(await serveHttp()), httpsAt(await serveHttps(always)));
  expectProblem(
    report,
    'comparison',
    'http_version',
    /ends its connection here and keeps it open on the other side \(ended after 2 of 2 answers here and 0 of 2 on the other side\)/,
  );
  const both = await check(httpsAt(await serveHttps()), httpsAt(await serveHttps(always)));
  expect(checkOf(both, 'comparison', 'http_version')).toMatchObject({
    status: 'warn',
    message: expect.stringContaining('ends its connection here'),
  });
});

test('an answer of a worker that is leaving refuses nothing: it is asked again', async () => {
  const report = await check(httpAt(await serveHttp()), httpsAt(await serveHttps(closing(1))));
  expect(report.problem).toBeNull();
  let asked = 0;
  const reloading: RequestListener = (request, response) => {
    if (asked++ === 0) response.statusCode = 502;
    shop(request, response);
  };
  expect((await check(httpAt(await serveHttp(reloading)), httpsAt(await serveHttps()))).problem).toBeNull();
});

test('a server that never answers is given up, over either transport', async () => {
  const silent = await listen(createTcp());
  const [plain, secure] = await Promise.all([
    check(httpAt(silent), httpsAt(await serveHttps()), { timeoutMs: 1000 }),
    check(httpAt(await serveHttp()), httpsAt(silent), { timeoutMs: 1000 }),
  ]);
  expectProblem(plain, 'baseline', 'status', /Step “home” got no response from .* within 1 s/);
  expectProblem(secure, 'comparison', 'tls', /did not answer the TLS handshake within 1 s/);
});

test('a server that switches protocols unasked is refused in a sentence, over either transport', async () => {
  const switching: RequestListener = (_request, response) =>
    response.writeHead(101, { connection: 'Upgrade', upgrade: 'websocket' }).end();
  const sentence = /Step “home” got 101 Switching Protocols from .* Use an address that answers ordinary/;
  const plain = await check(httpAt(await serveHttp(switching)), httpsAt(await serveHttps()));
  expectProblem(plain, 'baseline', 'status', sentence);
  const secure = await check(httpAt(await serveHttp()), httpsAt(await serveHttps(switching)));
  expectProblem(secure, 'comparison', 'status', sentence);
});

test('garbage is recognized as neither HTTP nor TLS', async () => {
  const garbage = await listen(
    createTcp((socket) => socket.on('error', () => {}).end('220 mail.test ESMTP\r\n')),
  );
  const plain = await check(httpAt(garbage), httpsAt(await serveHttps()));
  expectProblem(
    plain,
    'baseline',
    'http_version',
    /is not valid HTTP\/1\.1\. It begins with “220 mail\.test ESMTP”/,
  );
  const secure = await check(httpAt(await serveHttp()), httpsAt(garbage));
  expectProblem(secure, 'comparison', 'tls', /neither TLS nor HTTP/);
});

test('an address that is not permitted gets no connection', async () => {
  let connections = 0;
  const canary = createTcp((socket) => {
    connections++;
    socket.destroy();
  });
  const elsewhere = { ...httpAt(await listen(canary, '0.0.0.0')), address: '0.0.0.0' };
  const report = await check(elsewhere, httpsAt(await serveHttps()));
  expectProblem(report, 'baseline', 'address', /0\.0\.0\.0 is the unspecified address/);
  expect(connections).toBe(0);
});

test('an unknown process is said, not refused', async () => {
  const report = await check({ ...httpAt(await serveHttp()), pid: null }, httpsAt(await serveHttps()));
  expect(report.ok).toBe(true);
  expect(checkOf(report, 'baseline', 'process')).toMatchObject({
    status: 'warn',
    message: expect.stringMatching(/pid/),
  });
});

test('a caller that gives up is not kept waiting', async () => {
  const silent = await listen(createTcp());
  const caller = new AbortController();
  const checking = check(httpAt(silent), httpsAt(silent), { signal: caller.signal });
  caller.abort(new Error('no longer wanted'));
  await expect(checking).rejects.toThrow('no longer wanted');
});

test('a caller that has given up already gets no connection made', async () => {
  let connections = 0;
  const port = await listen(createTcp(() => connections++));
  const checking = check(httpAt(port), httpsAt(port), { signal: AbortSignal.abort(new Error('too late')) });
  await expect(checking).rejects.toThrow('too late');
  expect(connections).toBe(0);
});
