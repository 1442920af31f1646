/** Protects the check that a server counts its handshakes as the client does. */
import { expect, test } from 'vitest';
import { demandAgreement } from './open-managed.ts';

test('ends that agree pass, and so does a server that says nothing', () => {
  demandAgreement({ client: [false, true], server: [false, true] }, 'nginx');
  demandAgreement({ client: [false, true], server: null }, 'lighttpd');
});

test('a server that says it negotiated something else is named, and one that knows no group is not', () => {
  const client = 'TLSv1.3 TLS_AES_256_GCM_SHA384 X25519';
  const seen = { client: [false, true], server: null };
  demandAgreement({ ...seen, agreed: { client, server: 'TLSv1.3 TLS_AES_256_GCM_SHA384' } }, 'Node');
  demandAgreement({ ...seen, agreed: { client, server: null } }, 'lighttpd');
  const server = 'TLSv1.3 TLS_AES_256_GCM_SHA384 X25519MLKEM768';
  expect(() => demandAgreement({ ...seen, agreed: { client, server } }, 'Envoy')).toThrow(
    `Envoy says that it negotiated ${server}, and the client says ${client}.`,
  );
});

test('a server that saw a full handshake where the client resumed is named', () => {
  expect(() => demandAgreement({ client: [false, true], server: [false, false] }, 'nginx')).toThrow(
    'nginx counts its handshakes differently from the client: full, then full against full, then resumed.',
  );
});
