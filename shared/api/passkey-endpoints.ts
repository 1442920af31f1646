import { identitySchema } from '../identity.ts';
import {
  accountSchema,
  creationOptionsSchema,
  newPasskeySchema,
  passkeySchema,
  passkeySignInSchema,
  requestOptionsSchema,
} from '../passkey.ts';
import { type Endpoint, idParams } from './endpoint.ts';

/** Passkeys of the people who sign in. Each is made and used in two steps, the first of which gives the challenge. */

export const passkeyEndpoints = {
  startPasskeySignIn: {
    method: 'post',
    path: '/session/passkey/challenge',
    access: 'anyone',
    summary: 'Begin to sign in with a passkey',
    status: 200,
    response: requestOptionsSchema,
  },
  signInWithPasskey: {
    method: 'post',
    path: '/session/passkey',
    access: 'anyone',
    act: 'Signed in with a passkey',
    summary: 'Sign in with a passkey; the answer sets the cookie of the session',
    body: passkeySignInSchema,
    status: 200,
    response: identitySchema,
  },
  showAccount: {
    method: 'get',
    path: '/account',
    access: 'reader',
    summary: 'How you sign in: whether you have a password, and your passkeys',
    status: 200,
    response: accountSchema,
  },
  startPasskey: {
    method: 'post',
    path: '/account/passkeys/challenge',
    access: 'reader',
    summary: 'Begin to add a passkey',
    status: 200,
    response: creationOptionsSchema,
  },
  addPasskey: {
    method: 'post',
    path: '/account/passkeys',
    access: 'reader',
    act: 'Added a passkey',
    summary: 'Add a passkey, with which you can then sign in',
    body: newPasskeySchema,
    status: 201,
    response: passkeySchema,
  },
  removePasskey: {
    method: 'delete',
    path: '/account/passkeys/:id',
    access: 'reader',
    act: 'Removed a passkey',
    summary: 'Remove one of your passkeys',
    params: idParams,
    status: 204,
    response: null,
  },
} as const satisfies Record<string, Endpoint>;
