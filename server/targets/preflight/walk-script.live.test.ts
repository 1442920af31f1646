/** Protects the preflight of a scenario with variables: both sides are walked, up to the first problem. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this

import type { RequestListener, ServerResponse } from 'node:http';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import {
  check,
  checkOf,
  expectProblem,
  httpAt,
  httpsAt,
  serveHttp,
  serveHttps,
} from '../../testing/preflight-in-test.ts';

const scenario = scenarioSchema.parse({
  name: 'sign in',
  cookies: true,
  data: { columns: ['user'], rows: [['ada l'], ['never used']] },
  steps: [
    {
      name: 'form',
      method: 'GET',
      path: '/form?for=${user}',
      extract: [{ from: 'hidden_input', variable: 'token', name: 'csrf' }],
    },
    {
      name: 'sign in',
      method: 'POST',
      path: '/session',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'user=${user}&csrf=${token}',
      checks: [{ type: 'body_contains', text: 'Welcome' }],
    },
  ],
});

/** Records what it is asked, and hands out a token in a page that is compressed. */
function application(seen: string[], greeting = 'Welcome'): RequestListener {
  return async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { cookie = '-', 'content-length': length = '-' } = request.headers;
    seen.push([request.method, request.url, cookie, length, body].join(' ').trim());
    const html = request.method === 'GET' ? '<input name="csrf" value="a&amp;b">' : greeting;
    response.setHeader('Set-Cookie', 'sid=7; Path=/');
    response.setHeader('Content-Encoding', 'br').end(brotliCompressSync(html));
  };
}

test('both sides are walked with the first row, the variables and the cookies', async () => {
  const plain: string[] = [];
  const secure: string[] = [];
  const http = httpAt(await serveHttp(application(plain)));
  const report = await check(http, httpsAt(await serveHttps(application(secure))), { scenario });
  expect(report.problem).toBeNull();
  expect(plain).toEqual(['GET /form?for=ada%20l - -', 'POST /session sid=7 21 user=ada+l&csrf=a%26b']);
  expect(secure).toEqual(plain);
});

test('a check that fails refuses, named with its step', async () => {
  const http = httpAt(await serveHttp(application([], 'Go away')));
  const report = await check(http, httpsAt(await serveHttps(application([]))), { scenario });
  expectProblem(report, 'baseline', 'status', /^Step “sign in”: the body does not contain “Welcome”\.$/);
  expect(checkOf(report, 'comparison', 'status').status).toBe('pass');
});

test('a value that is not there refuses before a request is sent without it', async () => {
  const seen: string[] = [];
  const empty: RequestListener = (request, response) => {
    seen.push(request.url ?? '');
    response.end('<p>no form here</p>');
  };
  const http = httpAt(await serveHttp(empty));
  const report = await check(http, httpsAt(await serveHttps(application([]))), { scenario });
  expectProblem(
    report,
    'baseline',
    'status',
    /^Step “form”: no value for \$\{token\}: the page has no input named csrf\.$/,
  );
  // It is asked again before it is refused.
  expect(seen).toEqual(['/form?for=ada%20l', '/form?for=ada%20l']);
});

test('another status ends the walk and is what is said', async () => {
  const seen: string[] = [];
  const failing: RequestListener = (request, response) => {
    seen.push(request.url ?? '');
    response.writeHead(500).end();
  };
  const http = httpAt(await serveHttp(failing));
  const report = await check(http, httpsAt(await serveHttps(application([]))), { scenario });
  expectProblem(report, 'baseline', 'status', /^Step “form” answered 500 instead of 200\./);
  expect(seen).toEqual(['/form?for=ada%20l', '/form?for=ada%20l']);
});

/** Without its cookie, whoever asks for the account is sent to sign in, or refused. */
function signIn(cookie: string, refusal: (response: ServerResponse) => void): RequestListener {
  return (request, response) => {
    if (request.url === '/login') response.setHeader('Set-Cookie', cookie).end('in');
    else if (/\bsid=1/.test(request.headers.cookie ?? '')) response.end('account');
    else refusal(response);
  };
}

const account = scenarioSchema.parse({
  name: 'account',
  cookies: true,
  steps: [
    { name: 'login', method: 'POST', path: '/login' },
    { name: 'account', method: 'GET', path: '/account' },
  ],
});

test.each<[string, (response: ServerResponse) => void, 'status' | 'redirect', RegExp]>([
  [
    'sid=1; Domain=shop.example',
    (response) => response.writeHead(302, { location: '/login' }).end(),
    'redirect',
    /^The cookie “sid” of step “login” is not kept: its Domain is shop\.example, and the host of this side is \S+\. Step “account” redirects to \/login/,
  ],
  [
    '__Host-sid=1; Path=/',
    (response) => response.writeHead(401).end(),
    'status',
    /^The cookie “__Host-sid” of step “login” is not kept: its name demands Secure\. /,
  ],
])('a cookie %s that is not kept is named before what follows from it', async (cookie, refusal, id, said) => {
  const application = signIn(cookie, refusal);
  const report = await check(httpAt(await serveHttp(application)), httpsAt(await serveHttps(application)), {
    scenario: account,
  });
  expectProblem(report, 'baseline', id, said);
  expect(checkOf(report, 'baseline', 'cookies').status).toBe('warn');
  const ids = report.sides.baseline.checks.map((each) => each.id);
  expect(ids.indexOf('cookies')).toBeLessThan(ids.indexOf(id));
});

test('each side sends its own origin, and a path that begins with // goes to the target', async () => {
  const seen: string[] = [];
  const keep: RequestListener = (request, response) => {
    seen.push(`${request.url} ${request.headers.origin} ${request.headers.referer}`);
    response.end('ok');
  };
  const [http, https] = [httpAt(await serveHttp(keep)), httpsAt(await serveHttps(keep))];
  const headers = { origin: '${origin}', referer: '${origin}/form' };
  const steps = [{ name: 'send', method: 'GET' as const, path: '//127.0.0.2/x', headers }];
  const report = await check(http, https, { scenario: scenarioSchema.parse({ name: 'own', steps }) });
  expect(report.problem).toBeNull();
  const own = [`http://${http.hostname}:${http.port}`, `https://${https.hostname}:${https.port}`];
  expect(seen.sort()).toEqual(own.map((origin) => `//127.0.0.2/x ${origin} ${origin}/form`).sort());
});
