/** Protects the passwords of a database and of its client’s key from standing on a command line, wherever in the address they were written. */
import { expect, test } from 'vitest';
import { withoutPassword } from './postgres-tools.ts';

test.each([
  ['none', 'postgres://ann@db/toll?a=b', 'postgres://ann@db/toll?a=b', ''],
  ['no user', 'postgres:///toll?host=/run/pg', 'postgres:///toll?host=/run/pg', ''],
  ['behind the user', 'postgres://ann:s%40cret@db:5432/toll', 'postgres://ann@db:5432/toll', 's@cret'],
  ['with an @ of its own', 'postgres://ann:s@cret@db/toll', 'postgres://ann@db/toll', 's@cret'],
  ['with a bare %', 'postgres://ann:100%@db/toll', 'postgres://ann@db/toll', '100%'],
  ['before a socket', 'postgres://ann:secret@/toll?host=/run', 'postgres://ann@/toll?host=/run', 'secret'],
  ['as a parameter', 'postgres://ann@db/toll?password=s%26cret', 'postgres://ann@db/toll', 's&cret'],
  [
    'among parameters, which stay as they are',
    'postgresql://ann:x@db/toll?options=-c%20a%3Db&pass%77ord=secret&sslmode=require',
    'postgresql://ann@db/toll?options=-c%20a%3Db&sslmode=require',
    'secret',
  ],
])('a password %s', (_where, url, open, password) => {
  expect(withoutPassword(url)).toEqual({ open, password, sslPassword: '' });
});

test('the password of a client’s key', () => {
  expect(withoutPassword('postgres://ann:x@db/toll?sslkey=a.pem&sslpassword=s%26cret&sslcert=b.pem')).toEqual(
    {
      open: 'postgres://ann@db/toll?sslkey=a.pem&sslcert=b.pem',
      password: 'x',
      sslPassword: 's&cret',
    },
  );
});
