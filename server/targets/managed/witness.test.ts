/** Protects the check that a server counts its handshakes as the client does. */
import { expect, test } from 'vitest';
import { demandAgreement } from './witness.ts';

test('ends that agree pass, and so does a server that says nothing', () => {
  demandAgreement({ client: [false, true], server: [false, true] }, 'nginx');
  demandAgreement({ client: [false, true], server: null }, 'lighttpd');
});

test('a server that saw a full handshake where the client resumed is named', () => {
  expect(() => demandAgreement({ client: [false, true], server: [false, false] }, 'nginx')).toThrow(
    'nginx counts its handshakes differently from the client: full, then full against full, then resumed.',
  );
});
