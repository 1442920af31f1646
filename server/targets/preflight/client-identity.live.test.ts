/** Protects certificates of clients: presented where a target demands one, with the key that fits, and otherwise a sentence first. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { preflightRequestSchema } from '../../../shared/api/target-endpoints.ts';
import { pathScenario, type SecretValues } from '../../../shared/scenario/scenario.ts';
import { listen, shop } from '../../testing/preflight-in-test.ts';
import { type Authority, openAuthority, openClientIdentity } from '../certificates/certificate-authority.ts';
import { checkOnce } from '../open/check-once.ts';
import { clientIdentityOf } from './resolve-origins.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-clients-'));
afterAll(() => rmSync(directory, { recursive: true }));

let authority: Authority;
let own: ReturnType<typeof partsOf>;
let other: ReturnType<typeof partsOf>;

beforeAll(async () => {
  const place = (name: string) => join(directory, name);
  authority = await openAuthority(place('own'));
  own = partsOf(await openClientIdentity(place('own')));
  other = partsOf(await openClientIdentity(place('other')));
});

function partsOf(identity: string) {
  const [key = ''] = identity.match(/-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/) ?? [];
  return { key, certificate: identity.replace(key, '').trim() };
}

describe('a target that demands a certificate of its clients', () => {
  async function check(clientCertificate: string | undefined, secrets: SecretValues) {
    const { certPem: cert, keyPem: key, caPem: ca } = authority;
    const port = await listen(createServer({ cert, key, ca, requestCert: true }, shop));
    const origin = `https://localhost:${port}`;
    const side = { transport: 'https', target: { origin, ca, clientCertificate } };
    const request = preflightRequestSchema.parse({
      target: { kind: 'origins' },
      sides: { baseline: side, comparison: side },
    });
    const house = { dataDirectory: directory, storefrontDatabaseUrl: null, chromiumPath: null };
    const { ok, problem } = await checkOnce(request, pathScenario(['/']), secrets, house);
    return ok ? 'ok' : problem;
  }

  test('is shown the one that was given, by each side', async () => {
    // Keys of both sides come together.
    const secrets = { client_key: `${other.key}\n${own.key}` };
    expect(await check(own.certificate, secrets)).toBe('ok');
  });

  test('is refused without one, and says what it wants', async () => {
    expect(JSON.stringify(await check(undefined, {}))).toContain('requires a client certificate. Give one');
  });

  test('does not let in a stranger', async () => {
    const found = JSON.stringify(await check(other.certificate, { client_key: other.key }));
    expect(found).toContain('It may not accept the client certificate.');
  });
});

describe('refused before anything is tried', () => {
  const refused = (
    certificate: string,
    keys: string | undefined,
    words: string,
    field = 'secrets.client_key',
  ) => {
    expect(() => clientIdentityOf(certificate, keys)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(words),
        problem: expect.objectContaining({ errors: [expect.objectContaining({ field })] }),
      }),
    );
  };

  test('are a key that fits another certificate, none, and what is no key', () => {
    refused(own.certificate, other.key, 'does not fit the certificate of ');
    refused(own.certificate, undefined, 'needs its key');
    refused(own.certificate, 'secret', 'is not a private key in PEM');
    refused('-----BEGIN CERTIFICATE-----', own.key, 'could not be read', 'target.clientCertificate');
  });

  test('is an encrypted key, with what decrypts it', () => {
    const encrypted = execFileSync('openssl', ['pkey', '-aes256', '-passout', 'pass:x'], { input: own.key });
    refused(own.certificate, String(encrypted), 'openssl pkey -in KEY -out PLAIN');
  });
});
