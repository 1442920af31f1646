import type { z } from 'zod';
import { capitalized } from './cut.ts';
import { type ProblemCode, problemCatalogue } from './problem-catalogue.ts';
import type { fieldErrorSchema, problemSchema } from './problem-schema.ts';
import './schema-words.ts';

/**
 * RFC 9457 problems: `throw problem(...)` anywhere on the server; one middleware, one exit path of the CLI and one page show it.
 */

export type FieldError = z.infer<typeof fieldErrorSchema>;
export type Problem = z.infer<typeof problemSchema>;

type ProblemFacts = {
  detail: string;
  errors?: FieldError[];
  retryAfterS?: number;
  /** Advice for a known reason; otherwise the code's own advice. */
  advice?: string;
  /** The original words of a foreign error. */
  details?: string;
  /** SHA-256 of the certificate that stood against it. */
  untrusted?: string;
};

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

/** A problem as another process or server has told it. */
export function problemTold({
  code,
  detail,
  advice,
  errors,
  details,
  untrusted,
  retryAfterS,
}: Problem): ProblemError {
  return problem(code, {
    ...{ detail, advice },
    ...(errors === undefined ? {} : { errors }),
    ...(details === undefined ? {} : { details }),
    ...(untrusted === undefined ? {} : { untrusted }),
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
  });
}

/** A problem with one field. A phrase becomes a sentence in the detail. */
export function problemAt(
  code: ProblemCode,
  field: string,
  message: string,
  options?: ErrorOptions,
): ProblemError {
  const detail = message.endsWith('.') ? message : `${capitalized(message)}.`;
  return problem(code, { detail, errors: [{ field, message }] }, options);
}

export function describeProblem(code: ProblemCode, facts: ProblemFacts): Problem {
  const kind = problemCatalogue[code];
  return {
    type: `urn:tls-toll:problem:${code}`,
    code,
    title: kind.title,
    status: kind.status,
    detail: facts.detail,
    advice: facts.advice ?? kind.advice,
    ...(facts.errors === undefined ? {} : { errors: facts.errors }),
    ...(facts.details === undefined ? {} : { details: facts.details }),
    ...(facts.untrusted === undefined ? {} : { untrusted: facts.untrusted }),
    ...(facts.retryAfterS === undefined ? {} : { retryAfterS: facts.retryAfterS }),
  };
}

/** Zod's issues as field errors, and one sentence of the first. */
export function problemOfIssues(code: ProblemCode, error: z.ZodError, subject: string): ProblemError {
  const errors = fieldErrorsOf(error);
  const first = errors[0];
  const detail = first === undefined ? `${subject} is not valid.` : `${subject}: ${namingField(first)}`;
  return problem(code, { detail, errors });
}

/** The same where the message does not say which field: the detail begins with it, or with the `subject`. */
export function problemOfField(
  code: ProblemCode,
  field: string,
  message: string,
  subject = field,
): ProblemError {
  return problem(code, { detail: `${subject}: ${message}.`, errors: [{ field, message }] });
}

/** Some messages name their field themselves. */
function namingField({ field, message }: FieldError): string {
  return field === '' || message.startsWith(`${field} `) ? message : `${field}: ${message}`;
}

/** Each field with an error, including inside the branch of a union that was meant. */
export function fieldErrorsOf(error: z.ZodError): FieldError[] {
  return error.issues.flatMap(flattenIssue);
}

/** Former names of options that people still use, and the current names. */
export const renamed: ReadonlyMap<string, string> = new Map([
  ['connections', 'users'],
  ['preset', 'length'],
]);

function flattenIssue(issue: z.core.$ZodIssue): FieldError[] {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const now = renamed.get(key);
      const message = now === undefined ? 'unknown field' : `unknown field; use ${now}`;
      return { field: below(field, key), message };
    });
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
