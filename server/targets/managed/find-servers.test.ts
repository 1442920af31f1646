/** Protects kTLS: it is refused with its reason where kernel or server do not have it. */
import { expect, test } from 'vitest';
import { kTlsProblem } from './find-servers.ts';

test.each([
  ['a kernel with its module', true, 'espintcp mptcp tls\n', null],
  ['a kernel without', true, 'mptcp\n', /lists no tls in \/proc\/sys/],
  ['a kernel that does not say', true, null, /lists no tls/],
  ['another server', false, 'tls\n', /^nginx is not set up/],
])('%s', (_, kTls, available, reason) => {
  const problem = kTlsProblem('nginx', { kTls }, available);
  if (reason === null) expect(problem).toBeNull();
  else expect(problem).toMatch(reason);
});
