import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { z } from 'zod';
import type { Actor } from '../../shared/identity.ts';
import { creationOptionsSchema, requestOptionsSchema } from '../../shared/passkey.ts';
import { problem } from '../../shared/problem.ts';
import type { Database } from '../database/open-database.ts';
import {
  findPasskey,
  listCredentials,
  notePasskeyUse,
  removePasskey,
  storePasskey,
} from '../database/passkeys.ts';
import { newPermalinkId } from '../measurement/permalink-id.ts';
import { openSealedCookie } from './sealed-cookie.ts';
import type { Passkeys } from './team.ts';

/**
 * Passkeys by SimpleWebAuthn. Each names its user, and its authenticator must have verified them, so that it is as good as
 * a password and a device together. Browsers tie them to the name in the server's address.
 */

/** Of COSE: those that authenticators have. ML-DSA would be offered besides, but is an experiment in Node 24. */
const [eddsa, es256, rs256] = [-8, -7, -257];

/** `userId` is null for somebody who signs in. */
const carriedSchema = z.object({ challenge: z.string(), userId: z.string().nullable() });

/** Whether browsers have passkeys at that address: by HTTPS or on their own machine, and by name. */
export function hasPasskeys({ protocol, hostname }: URL): boolean {
  if (hostname === 'localhost') return true;
  return protocol === 'https:' && isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0;
}

/** @param start a session of that user */
export function openPasskeys(
  database: Database,
  { origin: home, hostname: rpID }: URL,
  keeping: { secret: string; secure: boolean },
  start: (userId: string) => Promise<{ actor: Actor; cookies: string[] }>,
): Passkeys {
  const carried = openSealedCookie('passkey', carriedSchema, keeping);
  const expected = { expectedOrigin: home, expectedRPID: rpID };
  const supportedAlgorithmIDs = [eddsa, es256, rs256];

  /** Throws passkey_refused. */
  async function takeChallenge(headers: IncomingHttpHeaders, userId: string | null): Promise<string> {
    const facts = await carried.open(headers);
    if (facts === null || facts.userId !== userId)
      throw problem('passkey_refused', 'It was not asked for in this browser, or too long ago.');
    return facts.challenge;
  }

  return {
    async begin(origin) {
      demandHome(origin);
      const made = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
      const options = requestOptionsSchema.parse(made);
      return { options, cookies: [await carried.seal({ challenge: options.challenge, userId: null })] };
    },

    async signIn({ credential }, headers) {
      const expectedChallenge = await takeChallenge(headers, null);
      const known = await findPasskey(database, credential.id);
      if (known === null) throw problem('passkey_refused', 'It was removed from this server.');
      const { id, counter, publicKey, userId } = known;
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...expected,
        expectedChallenge,
        response: { ...credential, clientExtensionResults: {} },
        credential: { id: known.credentialId, publicKey: Buffer.from(publicKey, 'base64url'), counter },
      }).catch(refuse);
      if (!verified) throw problem('passkey_refused', 'Its signature is wrong.');
      await notePasskeyUse(database, id, authenticationInfo.newCounter, Date.now());
      const { actor, cookies } = await start(userId);
      return { actor, cookies: [...cookies, carried.removal] };
    },

    async beginAdding(actor, origin) {
      demandHome(origin);
      const userId = demandPerson(actor);
      const known = await listCredentials(database, userId);
      const made = await generateRegistrationOptions({
        supportedAlgorithmIDs,
        rpName: 'TLS Toll',
        rpID,
        userName: actor.name,
        userDisplayName: actor.name,
        userID: new TextEncoder().encode(userId),
        excludeCredentials: known.map(({ id, transports }) => ({ id, transports: namesIn(transports) })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      const options = creationOptionsSchema.parse(made);
      return { options, cookies: [await carried.seal({ challenge: options.challenge, userId })] };
    },

    async add(actor, { name, credential }, headers) {
      const userId = demandPerson(actor);
      const expectedChallenge = await takeChallenge(headers, userId);
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        ...expected,
        supportedAlgorithmIDs,
        expectedChallenge,
        response: { ...credential, clientExtensionResults: {} },
      }).catch(refuse);
      if (!verified) throw problem('passkey_refused', 'Its signature is wrong.');
      const { id: credentialId, publicKey, counter } = registrationInfo.credential;
      const made = { id: newPermalinkId(), name, createdAt: Date.now(), usedAt: null };
      await storePasskey(database, {
        ...made,
        ...{ userId, credentialId, counter },
        publicKey: Buffer.from(publicKey).toString('base64url'),
        transports: credential.response.transports.join(','),
      });
      return made;
    },

    remove: (actor, id) => removePasskey(database, id, demandPerson(actor)),
  };

  function demandHome(origin: string | undefined): void {
    if (origin !== home) throw problem('sign_in_elsewhere', `Passkeys belong to ${home}.`);
  }
}

/** Throws key_needs_person. */
function demandPerson({ id, key }: Actor): string {
  if (id === null || key !== null)
    throw problem('key_needs_person', 'An API key has no passkeys, because they would outlive it.');
  return id;
}

const namesIn = (transports: string) => transports.split(',').filter(Boolean);

/** The library says in its own words what does not fit; people cannot do anything about it. */
function refuse(cause: unknown): never {
  throw problem('passkey_refused', 'What the browser sent does not fit this server.', { cause });
}
