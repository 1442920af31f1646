import { z } from 'zod';

/**
 * The catalogue of everything that can go wrong for a user: RFC 9457 problems.
 * `throw new ProblemError(...)` anywhere on the server; one middleware, one exit path of the CLI and one page show it.
 */

type ProblemKind = { status: number; title: string; advice: string };

export const problemCatalogue = {
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
  last_admin: {
    status: 409,
    title: 'This is the last admin',
    advice: 'Make somebody else an admin first.',
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
  run_not_found: {
    status: 404,
    title: 'Measurement not found',
    advice: 'Check the link for typos. /runs lists every measurement on this server.',
  },
  run_deleted: {
    status: 410,
    title: 'This measurement was deleted',
    advice: 'Ask whoever sent the link for a new one.',
  },
  run_binned: {
    status: 410,
    title: 'This measurement is in the bin',
    advice: 'Restore it from the browser that started it, or with its delete token.',
  },
  run_newer: {
    status: 501,
    title: 'This measurement was made by a newer version',
    advice: 'Update TLS Toll to open it.',
  },
  run_over: { status: 409, title: 'This measurement has already ended', advice: 'Start a new one.' },
  run_unfinished: {
    status: 409,
    title: 'This measurement has not ended yet',
    advice: 'Cancel it, or wait until it ends.',
  },
  wrong_delete_token: {
    status: 403,
    title: 'The delete token is wrong',
    advice: 'Use the token that was returned when the measurement was created.',
  },
  idempotency_conflict: {
    status: 422,
    title: 'This Idempotency-Key belongs to another request',
    advice: 'Use a new key.',
  },
  queue_full: { status: 429, title: 'The queue is full', advice: 'Wait until a measurement ends.' },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    advice: 'Wait for the number of seconds in Retry-After.',
  },
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
  schedule_not_found: {
    status: 404,
    title: 'Schedule not found',
    advice: 'Check the ID for typos. /runs/schedules lists every schedule on this server.',
  },
  too_many_schedules: {
    status: 409,
    title: 'Too many schedules',
    advice: 'Delete schedules that you no longer need.',
  },
  not_repeatable: {
    status: 422,
    title: 'This measurement cannot be repeated',
    advice: 'Start it again and enter the values, or repeat a measurement without secrets.',
  },
  schedule_over: {
    status: 409,
    title: 'This schedule has ended',
    advice: 'Repeat one of its results to make a new one.',
  },
  repeat_skipped: {
    status: 409,
    title: 'This time was skipped',
    advice: 'The schedule goes on at its next time.',
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
    advice: 'Make sure that it is running, and check the host name and port.',
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
  not_resumable: {
    status: 409,
    title: 'This measurement cannot be resumed',
    advice: 'Start a new one with the same settings.',
  },
  server_missing: {
    status: 422,
    title: 'The server is not installed',
    advice: 'Install its packages, or choose another server. /api/v1/servers lists the installed ones.',
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
  results_not_comparable: {
    status: 422,
    title: 'These results cannot be compared',
    advice: 'Choose two finished results of the same kind: runs, sweeps, handshakes or primitives.',
  },
  scenario_unfit: {
    status: 422,
    title: 'The scenario does not fit this site',
    advice: 'Choose a path that this site serves, or record a scenario on it.',
  },
  too_many_connections: {
    status: 422,
    title: 'Too many connections for this machine',
    advice: 'Raise the limit, or use fewer connections.',
  },
  rate_too_high: {
    status: 422,
    title: 'The rate is too high for the target',
    advice: 'Lower the rate, or leave it empty to use half of what the slower side can handle.',
  },
  target_died: {
    status: 422,
    title: 'The target stopped responding during the run',
    advice: 'Check its log, restart it, and repeat the run.',
  },
  target_errors: {
    status: 422,
    title: 'The target returned errors',
    advice: 'Check its log. The error groups show which step failed and how.',
  },
  listeners_differ: {
    status: 422,
    title: 'Two identical listeners differ',
    advice: 'Something other than TLS sets them apart, or the machine was busy. Repeat on a quieter machine.',
  },
  too_disturbed: {
    status: 422,
    title: 'Too many blocks were disturbed',
    advice: 'Close other programs on this machine and repeat the run.',
  },
  run_interrupted: {
    status: 422,
    title: 'The server stopped during the measurement',
    advice: 'The results up to that point are kept. Start it again.',
  },
  limit_reached: {
    status: 422,
    title: 'A limit of the target was reached',
    advice: 'The results up to that point are kept. Choose a shorter plan, or raise the limit at /targets.',
  },
  load_stopped: {
    status: 422,
    title: 'All load was stopped',
    advice: 'The results up to that point are kept. Start it again.',
  },
  run_cancelled: {
    status: 422,
    title: 'The measurement was canceled',
    advice: 'The results up to that point are kept. Start it again.',
  },
  claim_lost: {
    status: 409,
    title: 'Another server took over this measurement',
    advice: 'Reload its page to see the current state.',
  },
  not_attributable: {
    status: 422,
    title: 'The difference cannot be split into parts',
    advice: 'Open a finished run of HTTP against HTTPS and measure its parts from that page.',
  },
  generator_failed: {
    status: 500,
    title: 'The load generator failed',
    advice: 'Repeat the run. If it fails again, report it with this message.',
  },
  lab_impossible: {
    status: 422,
    title: 'The lab cannot measure this',
    advice: 'Correct the value and start again.',
  },
  lab_failed: {
    status: 500,
    title: 'The lab process failed',
    advice: 'Repeat the measurement. If it fails again, report it with this message.',
  },
  link_failed: {
    status: 500,
    title: 'The relay failed',
    advice: 'Repeat the measurement. If it fails again, report it with this message.',
  },
  file_unreadable: {
    status: 422,
    title: 'The file could not be read',
    advice: 'Check its path and permissions.',
  },
  file_unwritable: {
    status: 422,
    title: 'The file could not be written',
    advice: 'Check its path and permissions.',
  },
  import_unreadable: {
    status: 422,
    title: 'The file could not be imported',
    advice: 'Export it again from the tool that made it, then import the complete file.',
  },
  not_exportable: {
    status: 422,
    title: 'The scenario cannot be exported in this format',
    advice: 'Change the steps named, or export as TLS Toll JSON or HAR, which keep everything.',
  },
  sql_invalid: {
    status: 422,
    title: 'Invalid SQL',
    advice: 'Correct the query. npx tls-toll sql --help lists the views and their columns.',
  },
  sql_refused: {
    status: 422,
    title: 'This SQL is not allowed',
    advice: 'Write a single SELECT from v_cells, v_sizes and v_metrics.',
  },
  sql_stopped: {
    status: 422,
    title: 'The query was stopped',
    advice: 'Add a condition, or group the rows.',
  },
  sql_failed: {
    status: 500,
    title: 'The query failed',
    advice: 'Run it again. If it fails again, report it with this message.',
  },
  address_in_use: {
    status: 500,
    title: 'The port is not available',
    advice: 'Set PORT to a free port, or stop the program that uses this one.',
  },
  data_directory_unusable: {
    status: 500,
    title: 'The data directory is not usable',
    advice: 'Set TLS_TOLL_DATA to a directory that this user can write to.',
  },
  data_directory_in_use: {
    status: 500,
    title: 'Another server is using this data directory',
    advice: 'Stop that server, or set TLS_TOLL_DATA to another directory.',
  },
  database_damaged: {
    status: 500,
    title: 'The database is damaged',
    advice:
      'Stop the server. Move tls-toll.sqlite and its -wal and -shm files from the data directory to another directory, OLD. Then restore a backup, or recover what you can with sqlite3 from sqlite.org: sqlite3 OLD/tls-toll.sqlite .recover | sqlite3 tls-toll.sqlite. Otherwise, the next start creates an empty database.',
  },
  database_unavailable: {
    status: 503,
    title: 'The database does not respond',
    advice: 'Check DATABASE_URL, and make sure that PostgreSQL is running.',
  },
  disk_full: {
    status: 507,
    title: 'The disk is full',
    advice: 'Free some space. The blocks stored so far are kept.',
  },
  sign_in_needed: {
    status: 500,
    title: 'A server that others can reach needs sign-in',
    advice:
      'Add an admin: npx tls-toll users add anna@example.com --role admin. Then start it: TLS_TOLL_SIGN_IN=on HOST=0.0.0.0 npm start.',
  },
  invalid_environment: {
    status: 500,
    title: 'Invalid environment variable',
    advice: 'Correct it and start again.',
  },
  invalid_arguments: {
    status: 400,
    title: 'Invalid command line',
    advice: 'Run npx tls-toll COMMAND --help to list the options.',
  },
  browser_missing: {
    status: 503,
    title: 'Chromium not found',
    advice: 'Install Chromium, or set CHROMIUM_PATH.',
  },
  browser_failed: {
    status: 503,
    title: 'Chromium failed',
    advice: 'Try again, or set CHROMIUM_PATH to another Chromium.',
  },
  recording_not_found: {
    status: 404,
    title: 'Recording not found',
    advice: 'It has ended, or the server was restarted. Start a new recording.',
  },
  dashboard_missing: {
    status: 409,
    title: 'No dashboard is running',
    advice: 'Start it with npx tls-toll serve, then try again.',
  },
  machine_busy: {
    status: 409,
    title: 'The machine is busy',
    advice: 'Wait until the current run or recording ends.',
  },
  client_not_built: {
    status: 503,
    title: 'The dashboard is not built',
    advice: 'Run npm run build, then try again.',
  },
  server_closing: { status: 503, title: 'The server is shutting down', advice: 'Try again when it is back.' },
  internal: { status: 500, title: 'Internal server error', advice: 'Report it with the request ID.' },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problemCatalogue;
export const problemCodeSchema = z.enum(Object.keys(problemCatalogue) as [ProblemCode, ...ProblemCode[]]);

export const fieldErrorSchema = z.strictObject({
  /** Dotted path of the field, such as `target.https`. */
  field: z.string(),
  message: z.string(),
});
export type FieldError = z.infer<typeof fieldErrorSchema>;

export const problemSchema = z.strictObject({
  type: z.string(),
  code: problemCodeSchema,
  title: z.string(),
  status: z.int(),
  /** The fact, in a sentence. */
  detail: z.string(),
  /** What to try. */
  advice: z.string(),
  errors: z.array(fieldErrorSchema).optional(),
  retryAfterS: z.int().positive().optional(),
});
export type Problem = z.infer<typeof problemSchema>;

type ProblemFacts = { detail: string; errors?: FieldError[]; retryAfterS?: number };

export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(code: ProblemCode, facts: ProblemFacts, options?: ErrorOptions) {
    super(facts.detail, options);
    this.name = 'ProblemError';
    this.problem = describeProblem(code, facts);
  }
}

/** `throw problem('run_not_found', 'No run has the id …')`. */
export function problem(
  code: ProblemCode,
  facts: string | ProblemFacts,
  options?: ErrorOptions,
): ProblemError {
  return new ProblemError(code, typeof facts === 'string' ? { detail: facts } : facts, options);
}

export function describeProblem(code: ProblemCode, facts: ProblemFacts): Problem {
  const kind = problemCatalogue[code];
  return {
    type: `urn:tls-toll:problem:${code}`,
    code,
    title: kind.title,
    status: kind.status,
    detail: facts.detail,
    advice: kind.advice,
    ...(facts.errors === undefined ? {} : { errors: facts.errors }),
    ...(facts.retryAfterS === undefined ? {} : { retryAfterS: facts.retryAfterS }),
  };
}

/** Zod's issues as field errors, and one sentence of the first. */
export function problemOfIssues(code: ProblemCode, error: z.ZodError, subject: string): ProblemError {
  const errors = fieldErrorsOf(error);
  const first = errors[0];
  const detail =
    first === undefined
      ? `${subject} is not valid.`
      : `${subject}: ${first.field === '' ? '' : `${first.field}: `}${first.message}`;
  return problem(code, { detail, errors });
}

/** What is wrong with which field, inside the branch of a union that was meant as well. */
export function fieldErrorsOf(error: z.ZodError): FieldError[] {
  return error.issues.flatMap(flattenIssue);
}

function flattenIssue(issue: z.core.$ZodIssue): FieldError[] {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: below(field, key), message: 'unknown field' }));
  }
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find((branch) => branch.every(isInside));
    if (meant !== undefined && meant.length > 0) {
      return meant.flatMap(flattenIssue).map((error) => ({ ...error, field: below(field, error.field) }));
    }
  }
  return [{ field, message: issue.message }];
}

/** Whether the value has the type of its branch of a union, and only its parts are wrong: that branch was meant. */
function isInside(issue: z.core.$ZodIssue): boolean {
  return issue.path.length > 0 || issue.code === 'unrecognized_keys';
}

function below(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}
