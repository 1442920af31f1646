import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider';

/** For tests: an identity provider on loopback that signs in whomever the test says, without asking. */
export type IdentityProviderInTest = {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** Who comes next: an account with this address, or nobody, who declines. */
  next: { email: string; verified: boolean } | null;
  close(): void;
};

/** @param callback where it may send browsers back to */
export async function openIdentityProvider(callback: string): Promise<IdentityProviderInTest> {
  const client = { clientId: 'toll', clientSecret: randomBytes(16).toString('hex') };
  let answer = (_request: IncomingMessage, response: ServerResponse) => void response.end();
  const server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const idp: IdentityProviderInTest = {
    ...client,
    issuer: new URL(issuer),
    next: null,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  const accounts = new Map<string, { email: string; verified: boolean }>();
  const provider = new Provider(issuer, {
    adapter: openMemory,
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [callback],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: {
      keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })],
    },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60, AuthorizationCode: 60 },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => {
      const { email, verified } = accounts.get(id) ?? {};
      return { accountId: id, claims: () => ({ sub: id, email, email_verified: verified }) };
    },
    // Consent was given before.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: client.clientId,
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const serve = provider.callback();
  answer = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void serve(request, response);
    const { next } = idp;
    if (next !== null) accounts.set(next.email, next);
    const result = next === null ? { error: 'access_denied' } : { login: { accountId: next.email } };
    void provider.interactionFinished(request, response, result);
  };
  return idp;
}

/** Stores one kind of the provider's objects, for the duration of the test. */
function openMemory(): Adapter {
  const kept = new Map<string, AdapterPayload>();
  const findBy = async (is: (payload: AdapterPayload) => boolean) => [...kept.values()].find(is);
  return {
    upsert: async (id, payload) => void kept.set(id, payload),
    find: async (id) => kept.get(id),
    findByUid: (uid) => findBy((payload) => payload.uid === uid),
    findByUserCode: (code) => findBy((payload) => payload.userCode === code),
    async consume(id) {
      const payload = kept.get(id);
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => void kept.delete(id),
    async revokeByGrantId(grantId) {
      for (const [id, payload] of kept) if (payload.grantId === grantId) kept.delete(id);
    },
  };
}
