import { identitySchema } from '../team/identity.ts';
import {
  accountSchema,
  passwordChangeSchema,
  providerSignInSchema,
  providerStartSchema,
  signInSchema,
} from '../team/team.ts';
import type { Endpoint } from './endpoint.ts';

/** Signing in and out, and the password. A server without sign-in refuses all but the first. */

export const sessionEndpoints = {
  showSession: {
    method: 'get',
    path: '/session',
    access: 'anyone',
    summary: 'Who is signed in',
    response: identitySchema,
  },
  signIn: {
    method: 'post',
    path: '/session',
    access: 'anyone',
    act: 'Signed in',
    summary: 'Sign in with a password; the answer sets the cookie of the session',
    body: signInSchema,
    response: identitySchema,
  },
  startProviderSignIn: {
    method: 'post',
    path: '/session/provider',
    access: 'anyone',
    summary: 'Begin to sign in with the identity provider (OpenID Connect); the answer says where to go',
    body: providerSignInSchema,
    response: providerStartSchema,
  },
  finishProviderSignIn: {
    method: 'get',
    path: '/session/provider/callback',
    access: 'anyone',
    act: 'Signed in with the identity provider',
    summary: 'Where the identity provider sends the browser back to; sets the cookie of the session',
    status: 303,
    response: null,
  },
  signOut: {
    method: 'delete',
    path: '/session',
    access: 'anyone',
    act: 'Signed out',
    summary: 'Sign out: the session ends on the server too',
    response: null,
  },
  showAccount: {
    method: 'get',
    path: '/account',
    access: 'reader',
    summary: 'Whether you have a password',
    response: accountSchema,
  },
  changePassword: {
    method: 'put',
    path: '/session/password',
    access: 'reader',
    act: 'Changed their password',
    summary: 'Change your password; every other session of yours ends',
    body: passwordChangeSchema,
    response: null,
  },
} as const satisfies Record<string, Endpoint>;
