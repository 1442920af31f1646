import { z } from 'zod';

/**
 * The catalogue of everything that can go wrong for a user: RFC 9457 problems.
 * `throw new ProblemError(...)` anywhere on the server; one middleware, one exit path of the CLI and one page show it.
 */

type ProblemKind = { status: number; title: string; advice: string };

export const problemCatalogue = {
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    advice: 'Correct the fields named in errors and send it again.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not JSON',
    advice: 'Send a JSON object with Content-Type: application/json.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    advice: 'Send less; /api/v1/limits lists the limits.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body has a type that is not read here',
    advice: 'Set the Content-Type that errors names.',
  },
  not_acceptable: {
    status: 406,
    title: 'That representation does not exist',
    advice: 'Ask for one of those that the detail names.',
  },
  method_not_allowed: {
    status: 405,
    title: 'That method is not allowed here',
    advice: 'The Allow header lists what is.',
  },
  cross_origin: {
    status: 403,
    title: 'The request comes from another site',
    advice: 'Send it from the dashboard, or with an Origin header that equals the server’s own origin.',
  },
  wrong_host: {
    status: 421,
    title: 'This server does not answer under that name',
    advice: 'Use the address that the server printed at its start.',
  },
  not_found: {
    status: 404,
    title: 'There is nothing at this address',
    advice: 'Check the address for a lost character.',
  },
  run_not_found: {
    status: 404,
    title: 'No measurement has this id',
    advice: 'Check the link for a missing character. /runs lists what was measured on this server.',
  },
  run_deleted: {
    status: 410,
    title: 'This measurement was deleted',
    advice: 'Ask whoever sent the link for a new one.',
  },
  run_newer: {
    status: 501,
    title: 'This measurement was made by a newer version',
    advice: 'Update TLS Toll to open it.',
  },
  run_over: { status: 409, title: 'This measurement is over', advice: 'Start another one.' },
  run_unfinished: {
    status: 409,
    title: 'This measurement is not over yet',
    advice: 'Cancel it or wait until it has ended.',
  },
  wrong_delete_token: {
    status: 403,
    title: 'The delete token is wrong',
    advice: 'Use the token that was returned when the measurement was created.',
  },
  idempotency_conflict: {
    status: 422,
    title: 'This Idempotency-Key was used for another request',
    advice: 'Use a new key.',
  },
  queue_full: { status: 429, title: 'The queue is full', advice: 'Wait until a measurement has ended.' },
  too_many_requests: { status: 429, title: 'Too many requests', advice: 'Wait as long as Retry-After says.' },
  scenario_not_found: {
    status: 404,
    title: 'No scenario has this id',
    advice: 'Look at the list on the page /scenarios, or at /api/v1/scenarios.',
  },
  scenario_deleted: {
    status: 410,
    title: 'This scenario was deleted',
    advice: 'The revisions that runs used are still at their addresses; /scenarios lists the others.',
  },
  scenario_changed: {
    status: 409,
    title: 'The scenario was changed meanwhile',
    advice: 'Open it again and repeat your change on the newest revision.',
  },
  too_many_scenarios: {
    status: 409,
    title: 'This server keeps no more scenarios',
    advice: 'Delete some that are no longer needed.',
  },
  revision_not_found: {
    status: 404,
    title: 'No revision of a scenario has this id',
    advice: 'Check the link for a lost character; a revision that no run used goes with its scenario.',
  },
  secret_missing: {
    status: 422,
    title: 'A secret of the scenario has no value',
    advice: 'Give the value with the request; it is kept in memory only, until the run has ended.',
  },
  secrets_lost: {
    status: 422,
    title: 'The values of the secrets are gone',
    advice: 'Start the run again and give the values again.',
  },
  target_not_permitted: {
    status: 403,
    title: 'This target is not permitted',
    advice: 'Run TLS Toll on the machine of the target, and give a loopback address such as 127.0.0.1.',
  },
  target_unreachable: {
    status: 422,
    title: 'The target does not answer',
    advice: 'Check that it runs, and its name and port.',
  },
  not_resumable: {
    status: 409,
    title: 'It cannot go on',
    advice: 'Start it again with the same settings.',
  },
  server_missing: {
    status: 422,
    title: 'That server is not installed',
    advice:
      'Install what the detail names, or choose another server; /api/v1/servers lists those that are here.',
  },
  server_failed: {
    status: 422,
    title: 'The server could not be started',
    advice: 'The detail ends with its own words. Free what it lacks, and start the run again.',
  },
  not_comparable: {
    status: 422,
    title: 'The two sides are not comparable',
    advice: 'Make both sides serve the same application in the same way.',
  },
  scenario_unfit: {
    status: 422,
    title: 'The scenario does not fit this site',
    advice: 'Choose a path that this site serves, or record a scenario on it.',
  },
  too_many_connections: {
    status: 422,
    title: 'This machine cannot hold so many connections',
    advice: 'Raise the limit that the detail names, or ask for fewer connections.',
  },
  rate_too_high: {
    status: 422,
    title: 'The target cannot bear that rate',
    advice: 'Ask for less, or leave the rate out: then half of what the slower side manages is offered.',
  },
  target_died: {
    status: 422,
    title: 'The target stopped answering during the run',
    advice: 'Look into its log, start it again and repeat the run.',
  },
  target_errors: {
    status: 422,
    title: 'The target answered with errors',
    advice: 'Look into its log; the error groups say which step failed and how.',
  },
  listeners_differ: {
    status: 422,
    title: 'Two identical listeners differ',
    advice:
      'Something other than TLS tells the listeners apart, or the machine was disturbed: repeat the run on a quieter machine.',
  },
  too_disturbed: {
    status: 422,
    title: 'The measurement was too disturbed',
    advice: 'Close what else runs on this machine and repeat the run.',
  },
  run_interrupted: {
    status: 422,
    title: 'The server stopped during the measurement',
    advice: 'What was measured until then is kept. Start it again.',
  },
  run_cancelled: {
    status: 422,
    title: 'The measurement was cancelled',
    advice: 'What was measured until then is kept. Start it again.',
  },
  claim_lost: {
    status: 409,
    title: 'Another server has taken this measurement',
    advice: 'Open its page again to see what became of it.',
  },
  not_attributable: {
    status: 422,
    title: 'The difference cannot be split into its parts',
    advice: 'Take a finished run of HTTP against HTTPS, and measure its parts in the lab from its page.',
  },
  generator_failed: {
    status: 500,
    title: 'The load generator failed',
    advice: 'Repeat the run; if it fails again, report it with the message.',
  },
  lab_impossible: {
    status: 422,
    title: 'The lab cannot measure that',
    advice: 'Correct the value that the detail names.',
  },
  lab_failed: {
    status: 500,
    title: 'The lab’s process failed',
    advice: 'Repeat the measurement; if it fails again, report it with the message.',
  },
  file_unreadable: {
    status: 422,
    title: 'The file could not be read',
    advice: 'Check its path and its rights.',
  },
  import_unreadable: {
    status: 422,
    title: 'The file could not be imported',
    advice: 'Save it again with the tool that made it, and import it whole.',
  },
  sql_invalid: {
    status: 422,
    title: 'The database does not understand this SQL',
    advice: 'Correct the query. npx tls-toll sql --help lists the views and their columns.',
  },
  sql_refused: {
    status: 422,
    title: 'This SQL is not run here',
    advice: 'Write one SELECT from v_cells, v_sizes and v_metrics.',
  },
  sql_stopped: {
    status: 422,
    title: 'The query was stopped',
    advice: 'Narrow it with a condition, or group the rows.',
  },
  sql_failed: {
    status: 500,
    title: 'The query could not be run',
    advice: 'Run it again; if it fails again, report it with the message.',
  },
  address_in_use: {
    status: 500,
    title: 'The port is taken',
    advice: 'Set PORT to a free port, or stop what listens there.',
  },
  data_directory_unusable: {
    status: 500,
    title: 'The data directory cannot be written',
    advice: 'Set TLS_TOLL_DATA to a directory that this user may write.',
  },
  data_directory_in_use: {
    status: 500,
    title: 'Another server uses this data directory',
    advice: 'Stop it, or set TLS_TOLL_DATA to another directory.',
  },
  database_damaged: {
    status: 500,
    title: 'The database is damaged',
    advice:
      'Stop the server and move tls-toll.sqlite, with its -wal and -shm files, from the data directory to another one, OLD. Then put a backup in its place, or recover what can be read with a sqlite3 from sqlite.org: sqlite3 OLD/tls-toll.sqlite .recover | sqlite3 tls-toll.sqlite. With neither, the next start makes a new, empty database.',
  },
  database_unavailable: {
    status: 503,
    title: 'The database does not answer',
    advice: 'Check DATABASE_URL, and that PostgreSQL runs.',
  },
  disk_full: {
    status: 507,
    title: 'The disk is full',
    advice: 'Free some space; the blocks stored so far are kept.',
  },
  invalid_environment: {
    status: 500,
    title: 'An environment variable is not valid',
    advice: 'Correct it and start again.',
  },
  invalid_arguments: {
    status: 400,
    title: 'The command line is not valid',
    advice: 'Run npx tls-toll COMMAND --help to see its options.',
  },
  browser_missing: {
    status: 503,
    title: 'No Chromium was found',
    advice: 'Install Chromium, or set CHROMIUM_PATH.',
  },
  browser_failed: {
    status: 503,
    title: 'Chromium failed',
    advice: 'Try again, or set CHROMIUM_PATH to another Chromium.',
  },
  recording_not_found: {
    status: 404,
    title: 'No recording has this id',
    advice: 'It is over, or the server was started anew; begin another one.',
  },
  machine_busy: {
    status: 409,
    title: 'The machine is busy',
    advice: 'Wait until the run or the recording has ended.',
  },
  server_closing: { status: 503, title: 'The server is shutting down', advice: 'Try again when it is back.' },
  internal: { status: 500, title: 'The server made a mistake', advice: 'Report it with the request id.' },
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
    return issue.keys.map((key) => ({ field: below(field, key), message: 'there is no such field' }));
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
