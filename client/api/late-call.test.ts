/** Protects what the page says of a request that failed: the server’s own problem, or why there is none. */
import { expect, test } from 'vitest';
import { problem } from '../../shared/base/problem.ts';
import { problemOf, UnreachableError } from './late-call.ts';

test('a problem of the server is shown as it was sent', () => {
  const error = problem('queue_full', 'Twenty runs wait already.');
  expect(problemOf(error)).toEqual({
    title: 'The queue is full',
    detail: 'Twenty runs wait already.',
    advice: 'Wait until a run ends.',
    fields: [],
  });
});

test('the fields of an invalid request are named', () => {
  const errors = [{ field: 'target.https', message: 'an origin ends after the port' }];
  expect(problemOf(problem('invalid_request', { detail: 'No.', errors })).fields).toEqual(errors);
});

test('a silent server and a mistake of the page are told apart', () => {
  expect(problemOf(new UnreachableError()).title).toBe('The server does not answer');
  expect(problemOf(new TypeError('x is undefined'))).toMatchObject({
    title: 'Something went wrong in this page',
    detail: 'This page failed (details).',
    details: 'x is undefined',
  });
});
