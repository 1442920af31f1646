/** Protects readers from foreign words: no code, path, thread number, or library message appears in a sentence. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect as connectTcp } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { connect as connectTls, createSecureContext } from 'node:tls';
import pg from 'pg';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { problem } from '../../../shared/base/problem.ts';
import { problemOfError, problemOfPeer, Reason, reasonOf } from './foreign-errors.ts';

/** Errors as the system and the libraries throw them, and sentences of ours. */
const classes: readonly [kind: string, error: () => unknown, here: string, there: string][] = [
  [
    'a missing file',
    () => thrown(() => readFileSync('/nowhere/x')),
    'X: there is no such file.',
    'X failed (details).',
  ],
  ['a directory', () => thrown(() => readFileSync('/')), 'X: it is a directory.', 'X failed (details).'],
  ['a half JSON', () => thrown(() => JSON.parse('{"a":')), 'X: it ends too early.', 'X failed (details).'],
  [
    'a wrong JSON',
    () => thrown(() => JSON.parse('{"a": 1,\n"b" 2}')),
    'X: it has a mistake in line 2, column 5.',
    'X failed (details).',
  ],
  [
    'a key of OpenSSL',
    () => thrown(() => createSecureContext({ key: 'no key' })),
    'X: it is not a certificate or key that can be read.',
    'X broke the TLS connection.',
  ],
  [
    'an alert of OpenSSL',
    () =>
      coded(
        'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
        '00D7F7A0:error:0A000410:SSL routines:ssl3_read_bytes:ssl/tls alert handshake failure:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:916:SSL alert number 40\n',
      ),
    'X: the other end broke off the TLS handshake.',
    'X broke off the TLS handshake.',
  ],
  [
    'a parser',
    () => coded('HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/'),
    'X: the other end sent an invalid response.',
    'X sent an invalid response.',
  ],
  [
    'a reset',
    () => coded('ECONNRESET', 'read ECONNRESET'),
    'X: the other end reset the connection.',
    'X reset the connection.',
  ],
  [
    'a name',
    () => new TypeError('fetch failed', { cause: coded('ENOTFOUND', 'getaddrinfo ENOTFOUND x.test') }),
    'X: the other end has a host name that does not resolve.',
    'X has a host name that does not resolve.',
  ],
  [
    'a schema',
    () => z.object({ users: z.int().max(5) }).safeParse({ users: 6 }).error,
    'X: users: must be at most 5.',
    'X sent an answer in an unexpected format.',
  ],
  [
    'Chromium',
    () => new TypeError('page.goto: net::ERR_CONNECTION_REFUSED at http://127.0.0.1:1/'),
    'X: the other end is not listening.',
    'X is not listening.',
  ],
  ['an unknown one', () => coded('EWHAT', 'strange (0x7f)'), 'X (details).', 'X failed (details).'],
  [
    'a closed pipe',
    () => coded('EPIPE', 'write EPIPE'),
    'X: the other end closed the connection.',
    'X closed the connection.',
  ],
  [
    'SQLite',
    () => thrown(() => new DatabaseSync(':memory:').exec('selec 1')),
    'X (details).',
    'X failed (details).',
  ],
  [
    'PostgreSQL',
    () =>
      Object.assign(new pg.DatabaseError('password authentication failed for user "ann"', 0, 'error'), {
        code: '28P01',
      }),
    'X (details).',
    'X failed (details).',
  ],
  [
    'the client of PostgreSQL',
    () => new Error('Connection terminated unexpectedly'),
    'X (details).',
    'X failed (details).',
  ],
  [
    'native code',
    () => thrown(() => createRequire(import.meta.url)('koffi').load('/nowhere.so')),
    'X (details).',
    'X failed (details).',
  ],
  [
    'one of ours',
    () => new Reason('the cable is loose'),
    'X: the cable is loose.',
    'X failed: the cable is loose.',
  ],
];

test.each(classes)(
  '%s is told in words of ours, and its own words stay beside them',
  (kind, make, here, there) => {
    const error = make();
    const both = [problemOfError('internal', 'X', error), problemOfPeer('internal', 'X', error)];
    expect(both.map(({ problem }) => problem.detail)).toEqual([here, there]);
    for (const { problem } of both) {
      expect(problem.detail).not.toMatch(
        /E[A-Z]{4,}|HPE_|net::|0A0|routines|\/deps|SyntaxError|\{|near|password|nowhere|terminated/,
      );
      if (kind === 'a schema' || kind === 'one of ours') expect(problem.details).toBeUndefined();
      else expect(problem.details).toMatch(/\S/);
      expect(problem.details ?? '').not.toMatch(/\p{Cc}/u);
    }
  },
);

test('an unknown error keeps its message and its code in the details', () => {
  const { details } = problemOfError('internal', 'X', coded('EWHAT', 'strange (0x7f)')).problem;
  expect(details).toBe('strange (0x7f) (EWHAT)');
});

test('a problem’s details survive when another sentence is made of it', () => {
  const inner = problem('internal', { detail: 'It broke.', details: 'ENOWORDS' });
  expect(problemOfError('internal', 'X', inner).problem).toMatchObject({
    detail: 'X: It broke.',
    details: 'ENOWORDS',
  });
});

test('real refusals of the system and of a handshake have words', async () => {
  const refused = await new Promise((resolve) => connectTcp(1, '127.0.0.1').once('error', resolve));
  expect(reasonOf(refused)).toBe('is not listening');
  const untls = await new Promise((resolve) => connectTls(1, '127.0.0.1').once('error', resolve));
  expect(reasonOf(untls)).toBe('is not listening');
});

function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
