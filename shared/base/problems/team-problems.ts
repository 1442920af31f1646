import type { ProblemKind } from './problem-kind.ts';

/** Signing in, and what a role may do. */
export const teamProblems = {
  sign_in_required: {
    status: 401,
    title: 'Sign-in required',
    advice: 'Reload the page and sign in.',
  },
  wrong_password: {
    status: 401,
    title: 'Wrong email address or password',
    advice: 'Check both for typos. An admin can make a new password for you.',
  },
  provider_unusable: {
    status: 502,
    title: 'The identity provider cannot be used',
    advice: 'Try again in a moment. If it happens again, tell an admin: the server’s log has the cause.',
  },
  provider_refused: {
    status: 401,
    title: 'Sign-in with the identity provider was not completed',
    advice: 'Start again. It must be completed within 10 minutes, in the same browser.',
  },
  email_unverified: {
    status: 403,
    title: 'Your email address is not verified',
    advice: 'Verify it with the identity provider, then sign in again.',
  },
  not_a_user: {
    status: 403,
    title: 'You are not a user of this server',
    advice: 'Ask an admin to add the email address that you have at the identity provider.',
  },
  sign_in_elsewhere: {
    status: 409,
    title: 'This way to sign in works at another address of this server',
    advice: 'Open the dashboard at that address.',
  },
  role_too_low: {
    status: 403,
    title: 'Your role does not allow this',
    advice: 'Ask an admin of this server for the role.',
  },
  not_yours: {
    status: 403,
    title: 'Somebody else started this measurement',
    advice: 'Ask whoever started it, or an admin.',
  },
  recording_not_yours: {
    status: 403,
    title: 'Somebody else started this recording',
    advice: 'Start one of your own.',
  },
  too_many_attempts: {
    status: 429,
    title: 'Too many failed sign-ins',
    advice: 'Wait for the number of seconds in Retry-After, then try again.',
  },
  sign_in_off: {
    status: 409,
    title: 'This server has no sign-in',
    advice: 'Start it with TLS_TOLL_SIGN_IN=on.',
  },
  user_exists: {
    status: 409,
    title: 'This user already exists',
    advice: 'Change the role of the user, or make a new password.',
  },
  user_not_found: {
    status: 404,
    title: 'User not found',
    advice: 'npx tls-toll users list shows every user of this server.',
  },
  key_refused: {
    status: 401,
    title: 'This API key does not work',
    advice: 'Create a new key on the account page of the server, and send it as Authorization: Bearer tt_….',
  },
  key_not_found: {
    status: 404,
    title: 'API key not found',
    advice: 'List the API keys with npx tls-toll keys list.',
  },
  key_needs_person: {
    status: 403,
    title: 'Only people can create API keys',
    advice: 'Sign in and create it on the account page.',
  },
  too_many_keys: {
    status: 409,
    title: 'Too many API keys',
    advice: 'Delete keys that you no longer need.',
  },
  last_admin: {
    status: 409,
    title: 'This is the last admin',
    advice: 'Make somebody else an admin first.',
  },
  sign_in_needed: {
    status: 500,
    title: 'A server that others can reach needs sign-in',
    advice:
      'Add an admin: npx tls-toll users add anna@example.com --role admin. Then start it: TLS_TOLL_SIGN_IN=on HOST=0.0.0.0 TLS_CERT=cert.pem TLS_KEY=key.pem npm start.',
  },
  tls_needed: {
    status: 500,
    title: 'A server that others can reach needs HTTPS',
    advice:
      'Set TLS_CERT and TLS_KEY to PEM files, or put a proxy with HTTPS in front and set TRUST_PROXY. To allow plain HTTP anyway, set TLS_TOLL_PLAIN=allowed.',
  },
} as const satisfies Record<string, ProblemKind>;
