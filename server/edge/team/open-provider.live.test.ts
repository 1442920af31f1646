/** Protects sign-in against an identity provider that is down, slow, broken, or another: each is named, and nobody waits long. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openProvider } from './open-provider.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-provider-'));
afterAll(() => rmSync(directory, { recursive: true }));

function secretFile(text: string, mode = 0o600): string {
  const path = join(directory, `${text}-${mode}`);
  writeFileSync(path, text, { mode });
  return path;
}

const home = 'https://toll.example.com';

const admitNobody: Parameters<typeof openProvider>[3] = () =>
  Promise.reject(new Error('nobody has proven who they are'));

type Change = { clientSecretFile?: string; patienceS?: number; againS?: number; admit?: typeof admitNobody };

function open(
  issuer: URL,
  { clientSecretFile = secretFile('secret'), patienceS = 10, againS = 60, admit = admitNobody }: Change = {},
) {
  const config = { issuer, clientId: 'toll', clientSecretFile, name: 'Acme', patienceS, againS };
  return openProvider(config, new URL(home), { secret: 'x'.repeat(64), secure: true }, admit);
}

async function serve(answer: RequestListener): Promise<{ issuer: URL; stop(): void }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  function stop() {
    server.closeAllConnections();
    server.close();
  }
  onTestFinished(stop);
  return { issuer: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), stop };
}

const sendJson = (value: unknown): RequestListener => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (_request, response) => response.setHeader('Content-Type', 'application/json').end(text);
};
const metadata = (issuer: string) => ({ issuer, authorization_endpoint: issuer, token_endpoint: issuer });

/** Metadata document of the server that is asked. */
const entranceAt =
  (authorization_endpoint: string | undefined): RequestListener =>
  (request, response) => {
    const issuer = `http://${request.headers.host}/`;
    sendJson({ issuer, token_endpoint: issuer, authorization_endpoint })(request, response);
  };

const unusable = (issuer: URL) =>
  expect.objectContaining({
    problem: expect.objectContaining({
      code: 'provider_unusable',
      detail: expect.stringContaining(issuer.href),
    }),
  });

describe('a provider that', () => {
  test.each<[string, RequestListener]>([
    ['hangs up', (request) => request.socket.destroy()],
    ['answers with a page', (_request, response) => response.end('<h1>Hello</h1>')],
    ['answers with half of it', sendJson('{"issuer":')],
    ['answers with a list', sendJson([])],
    ['does not say where to sign in', entranceAt(undefined)],
    ['sends people to a script', entranceAt('javascript:alert(1)')],
    ['calls itself otherwise', sendJson(metadata('https://evil.test'))],
    ['leads elsewhere', (_request, response) => response.writeHead(302, { Location: home }).end()],
  ])('%s is named', async (_what, answer) => {
    const { issuer } = await serve(answer);
    await expect(open(issuer).begin('/', home)).rejects.toThrow(unusable(issuer));
  });

  test('never answers is named', async () => {
    const { issuer } = await serve(() => {});
    await expect(open(issuer, { patienceS: 0.2 }).begin('/', home)).rejects.toThrow(unusable(issuer));
  });

  test('drips its answer is named in time', async () => {
    const { issuer } = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.once('close', () => clearInterval(timer));
    });
    await expect(open(issuer, { patienceS: 0.5 }).begin('/', home)).rejects.toThrow(unusable(issuer));
  });

  test('sends without end is named, and hung up on', async () => {
    let sent = 0;
    function* pieces() {
      for (;;) {
        sent += 100_000;
        yield Buffer.alloc(100_000, ' ');
      }
    }
    const { issuer } = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      Readable.from(pieces()).pipe(response);
    });
    await expect(open(issuer).begin('/', home)).rejects.toThrow('sent more than 1 MB');
    expect(sent).toBeLessThan(20_000_000);
  });

  test('is asked once a minute, whether it answers or not, and however many sign in', async () => {
    for (const answers of [true, false]) {
      let asked = 0;
      const { issuer } = await serve((request, response) => {
        asked += 1;
        if (answers) sendJson(metadata(issuer.href))(request, response);
        else request.socket.destroy();
      });
      const provider = open(issuer);
      const begin = () => provider.begin('/', home).then(Boolean, () => false);
      await begin();
      expect(await Promise.all(Array.from({ length: 50 }, begin))).toEqual(Array(50).fill(answers));
      expect(asked).toBe(1);
    }
  });

  test('is down is asked again later', async () => {
    const { issuer, stop } = await serve(() => {});
    stop();
    const provider = open(issuer, { againS: 0 });
    await expect(provider.begin('/', home)).rejects.toThrow('is not listening');
    const server = createServer(sendJson(metadata(issuer.href))).listen(Number(issuer.port), '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    expect((await provider.begin('/', home)).url).toMatch(issuer.href);
    server.closeAllConnections();
  });

  test.each<[string, RequestListener | null]>([
    ['is gone', null],
    ['answers with rubbish', sendJson('{"access_token": 1}')],
    ['sends no ID token', sendJson({ access_token: 'a', token_type: 'bearer' })],
  ])('%s when the browser comes back leads to its page, with the reason', async (_what, answer) => {
    let turn: RequestListener = () => {};
    const { issuer, stop } = await serve((request, response) => turn(request, response));
    turn = sendJson({ ...metadata(issuer.href), jwks_uri: `${issuer.href}jwks` });
    const provider = open(issuer);
    const { url, cookies } = await provider.begin('/runs', home);
    if (answer === null) stop();
    else turn = answer;
    const query = new URLSearchParams({ code: 'x', state: new URL(url).searchParams.get('state') ?? '' });
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ');
    expect(await provider.finish(query, { cookie })).toMatchObject({
      actor: null,
      returnTo: '/runs',
      problem: unusable(issuer),
    });
  });
});

test('an ID token counts with the signature of the provider only', async () => {
  const [own, foreign] = [makeKey(), makeKey()];
  let signer = foreign;
  let nonce = '';
  const { issuer } = await serve((request, response) => {
    const { href } = issuer;
    const claims = { iss: href, aud: 'toll', sub: 'x', nonce, email: 'a@example.com', email_verified: true };
    const answers: Record<string, object> = {
      '/jwks': { keys: [own.publicKey.export({ format: 'jwk' })] },
      '/token': { access_token: 'a', token_type: 'bearer', id_token: signToken(claims, signer) },
    };
    const whole = { ...metadata(href), token_endpoint: `${href}token`, jwks_uri: `${href}jwks` };
    sendJson(answers[request.url ?? ''] ?? whole)(request, response);
  });
  const actor = { id: 'x', name: 'a@example.com', role: 'reader', key: null } as const;
  const provider = open(issuer, { admit: async () => ({ actor, cookies: [] }) });

  async function comeBack() {
    const { url, cookies } = await provider.begin('/', home);
    const { searchParams: asked } = new URL(url);
    nonce = asked.get('nonce') ?? '';
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ');
    return provider.finish(new URLSearchParams({ code: 'x', state: asked.get('state') ?? '' }), { cookie });
  }
  expect(await comeBack()).toMatchObject({ actor: null, problem: unusable(issuer) });
  signer = own;
  expect(await comeBack()).toMatchObject({ actor });
});

const makeKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

function signToken(claims: object, { privateKey }: ReturnType<typeof makeKey>): string {
  const iat = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'RS256' })}.${part({ iat, exp: iat + 60, ...claims })}`;
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}

test.each([
  ['that everybody can read', () => secretFile('open', 0o604), 'chmod 600'],
  ['that is empty', () => secretFile(''), 'is empty'],
  ['that is not there', () => join(directory, 'missing'), 'cannot be read'],
])('a file of the secret %s refuses the start', (_what, file, sentence) => {
  expect(() => open(new URL('https://id.example.com'), { clientSecretFile: file() })).toThrow(sentence);
});
