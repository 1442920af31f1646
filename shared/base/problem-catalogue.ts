import { measurementProblems, serverProblems } from './problems-of-measurements.ts';
import { type ProblemKind, toolProblems } from './tool-problems.ts';

/** Signing in, and what a role may do. */
const teamProblems = {
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
    title: 'Somebody else started this run',
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

/** Targets: who may be loaded, what answers there, and who reads their CPU. */
const targetProblems = {
  target_not_permitted: {
    status: 403,
    title: 'This target is not permitted',
    advice: 'Allow the host at /targets, or use a loopback address such as 127.0.0.1.',
  },
  target_not_found: {
    status: 404,
    title: 'This target is not allowed',
    advice: 'It may have been withdrawn. /targets lists the hosts that are allowed.',
  },
  target_of_environment: {
    status: 409,
    title: 'The environment allows this target',
    advice: 'Remove it from TLS_TOLL_TARGETS and restart the server.',
  },
  target_unreachable: {
    status: 422,
    title: 'The target does not respond',
    advice: 'Fix the cause above, then check the target again.',
  },
  tls_not_offered: {
    status: 422,
    title: 'The server does not offer this TLS',
    advice: 'Or leave it unset to measure the best that both ends speak.',
  },
  target_busy: {
    status: 409,
    title: 'The target is being measured',
    advice:
      'Check it when the run has ended. A run that you start now waits in the queue and checks it then.',
  },
  agent_unreachable: {
    status: 422,
    title: 'The agent does not respond',
    advice: 'Start it on the target’s host and check host, port, and firewall.',
  },
  agent_untrusted: {
    status: 422,
    title: 'The agent could not prove who it is',
    advice: 'Copy the fingerprint that the agent printed and the token file from the target’s host again.',
  },
  agent_version: {
    status: 422,
    title: 'The agent has another version',
    advice: 'Install the same version of TLS Toll on both hosts.',
  },
  exporter_unreachable: {
    status: 422,
    title: 'The exporter does not respond',
    advice: 'Open its address from this machine, for example with curl. A firewall may be in the way.',
  },
  exporter_unusable: {
    status: 422,
    title: 'The exporter does not have these figures',
    advice:
      'Look at what its address shows, and correct the address, the token, or the names of the metrics.',
  },
  server_missing: {
    status: 422,
    title: 'The server is not installed',
    advice: 'Or choose another server. /api/v1/servers lists the installed ones.',
  },
  server_failed: {
    status: 422,
    title: 'The server did not start',
    advice: 'Fix the cause that the server reported, then start the run again.',
  },
  not_comparable: {
    status: 422,
    title: 'The two sides are not comparable',
    advice: 'Make both sides serve the same application in the same way.',
  },
  too_few_slots: {
    status: 422,
    title: 'The server answers too few connections at a time',
    advice: 'Or give the server more workers.',
  },
  target_died: {
    status: 422,
    title: 'The target stopped responding during the run',
    advice: 'Start it again, then repeat the run.',
  },
  target_errors: {
    status: 422,
    title: 'The target returned errors',
    advice: 'The error groups show which step failed and how.',
  },
} as const satisfies Record<string, ProblemKind>;

/** Scenarios, recordings, imports and exports. */
const scenarioProblems = {
  scenario_not_found: {
    status: 404,
    title: 'Scenario not found',
    advice: 'Check the link for typos. /scenarios lists every scenario on this server.',
  },
  scenario_deleted: {
    status: 410,
    title: 'This scenario was deleted',
    advice: 'Revisions that a run used are still available. /scenarios lists the other scenarios.',
  },
  scenario_changed: {
    status: 409,
    title: 'The scenario has changed since you opened it',
    advice: 'Open the latest revision and repeat your change.',
  },
  too_many_scenarios: {
    status: 409,
    title: 'Too many scenarios',
    advice: 'Delete scenarios that you no longer need.',
  },
  revision_not_found: {
    status: 404,
    title: 'Revision not found',
    advice: 'Check the link for typos. Deleting a scenario also deletes the revisions that no run used.',
  },
  secret_missing: {
    status: 422,
    title: 'A secret has no value',
    advice: 'Enter its value. It stays in memory only, until the run ends.',
  },
  secrets_lost: {
    status: 422,
    title: 'The values of the secrets were lost',
    advice: 'Start the run again and re-enter the values.',
  },
  scenario_unfit: {
    status: 422,
    title: 'The scenario does not fit this site',
    advice: 'Choose a path that this site serves, or record a scenario on it.',
  },
  import_unreadable: {
    status: 422,
    title: 'The file could not be imported',
    advice: 'Correct the file or text, then import it again.',
  },
  not_exportable: {
    status: 422,
    title: 'The scenario cannot be exported in this format',
    advice: 'Change the steps named, or export as TLS Toll JSON or HAR, which keep everything.',
  },
  dry_run_not_found: {
    status: 404,
    title: 'No dry run to end',
    advice: 'It has ended, or somebody else started it.',
  },
  recording_not_found: {
    status: 404,
    title: 'Recording not found',
    advice: 'It has ended, or the server was restarted. Start a new recording.',
  },
} as const satisfies Record<string, ProblemKind>;

/** Problems with a request, and with its address. */
const requestProblems = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    advice: 'Correct the fields listed in errors and send the request again.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    advice: 'Send a JSON object with Content-Type: application/json.',
  },
  body_too_large: {
    status: 413,
    title: 'The request body is too large',
    advice: 'Send a smaller body. /api/v1/limits lists the limits.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported Content-Type',
    advice: 'Use the Content-Type listed in errors.',
  },
  not_acceptable: {
    status: 406,
    title: 'Format not available',
    advice: 'Request one of the available formats.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    advice: 'Use one of the methods in the Allow header.',
  },
  cross_origin: {
    status: 403,
    title: 'Cross-origin request blocked',
    advice: 'Send it from the dashboard, or set the Origin header to the server’s own origin.',
  },
  wrong_host: {
    status: 421,
    title: 'Unknown host name',
    advice: 'Use the address that the server printed when it started.',
  },
  not_found: {
    status: 404,
    title: 'There is nothing at this address',
    advice: 'Check the address for typos.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    advice: 'Wait for the number of seconds in Retry-After.',
  },
  idempotency_conflict: {
    status: 422,
    title: 'This Idempotency-Key belongs to another request',
    advice: 'Use a new key.',
  },
} as const satisfies Record<string, ProblemKind>;

/** Everything that can go wrong for a user, without the schemas of what is sent of it. */

export const problemCatalogue = {
  ...requestProblems,
  ...teamProblems,
  ...measurementProblems,
  ...scenarioProblems,
  ...targetProblems,
  ...toolProblems,
  ...serverProblems,
};

export type ProblemCode = keyof typeof problemCatalogue;
