/** Protects the problem of an invalid request: the field that is meant is named. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type FieldError, ProblemError, problemOfIssues } from './problem.ts';

const schema = z.strictObject({
  target: z.union([z.literal('built-in'), z.strictObject({ http: z.url(), pid: z.int().optional() })], {
    error: 'target is "built-in" or an object',
  }),
});

function errorsOf(value: unknown): FieldError[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) throw new Error('was valid');
  const error = problemOfIssues('invalid_request', parsed.error, 'The body');
  expect(error).toBeInstanceOf(ProblemError);
  return error.problem.errors ?? [];
}

test('a field that does not exist is named', () => {
  expect(errorsOf({ target: 'built-in', surprise: 1 })).toEqual([
    { field: 'surprise', message: 'unknown field' },
  ]);
});

test('a field that has another name now is told it', () => {
  expect(errorsOf({ target: 'built-in', connections: 9 })).toEqual([
    { field: 'connections', message: 'unknown field; use users' },
  ]);
  expect(errorsOf({ target: 'built-in', constructor: 9 })).toEqual([
    { field: 'constructor', message: 'unknown field' },
  ]);
});

test('of a choice, the part that is wrong is named when it is plain which choice was meant', () => {
  expect(errorsOf({ target: { http: 'nonsense' } })).toEqual([
    { field: 'target.http', message: expect.any(String) },
  ]);
  expect(
    errorsOf({ target: { http: 'http://a.test', pid: 0.5, port: 80 } }).map(({ field }) => field),
  ).toEqual(['target.pid', 'target.port']);
});

test('of a choice, the choices are named when none was meant', () => {
  expect(errorsOf({ target: 7 })).toEqual([
    { field: 'target', message: 'target is "built-in" or an object' },
  ]);
  expect(errorsOf({})).toEqual([{ field: 'target', message: 'target is "built-in" or an object' }]);
});
