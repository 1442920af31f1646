import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { passkeyEndpoints } from '../../shared/api/passkey-endpoints.ts';
import { callEndpoint } from './call-endpoint.ts';
import { type Trouble, troubleOf } from './trouble.ts';

/** What the browser asks its user to unlock, between the two calls that each takes. */

export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await callEndpoint(passkeyEndpoints.startPasskeySignIn);
  const credential = await startAuthentication({ optionsJSON });
  await callEndpoint(passkeyEndpoints.signInWithPasskey, { body: { credential } });
}

export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await callEndpoint(passkeyEndpoints.startPasskey);
  const credential = await startRegistration({ optionsJSON });
  await callEndpoint(passkeyEndpoints.addPasskey, { body: { name, credential } });
}

/** Browsers tell pages little about why there is no passkey, for the sake of their users. */
export function passkeyTrouble(error: unknown): Trouble {
  if (!(error instanceof WebAuthnError || error instanceof DOMException)) return troubleOf(error);
  const detail =
    error.name === 'InvalidStateError'
      ? 'This device already has a passkey of yours.'
      : 'The browser has none for this server, or you canceled.';
  return { title: 'No passkey', detail, advice: 'Try again, or sign in another way.', fields: [] };
}
