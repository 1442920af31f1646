import { type FieldError, ProblemError } from '../../shared/base/problem.ts';
import { withoutOptions } from '../format/without-options.ts';
import { UnreachableError } from './unreachable-error.ts';

/** An error as a person reads it: what is the case, and what to try. */
export type ShownProblem = { title: string; detail: string; advice: string; fields: FieldError[] };

export function problemOf(error: unknown): ShownProblem {
  if (error instanceof ProblemError) {
    const { title, detail, advice, errors = [] } = error.problem;
    return {
      title,
      detail: withoutOptions(detail),
      advice,
      fields: errors.map(({ field, message }) => ({ field, message: withoutOptions(message) })),
    };
  }
  if (error instanceof UnreachableError) {
    return {
      title: 'The server does not answer',
      detail: 'The request got no answer that this page understands.',
      advice: 'Check that TLS Toll is still running, then try again.',
      fields: [],
    };
  }
  return {
    title: 'Something went wrong in this page',
    detail: error instanceof Error ? error.message : String(error),
    advice: 'Reload the page; if it happens again, report it with this sentence.',
    fields: [],
  };
}
