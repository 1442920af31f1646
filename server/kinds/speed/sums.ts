import type { PrimitiveGroup, SpeedOperation } from '../../../shared/kinds/speed/speed.ts';

/** One call of a primitive that is measured by itself. */
type Part = { primitive: string; operation: SpeedOperation };

/** An operation that the runtime has no call for. Its time is that of its parts, one after the other. */
export type Sum = {
  name: string;
  group: PrimitiveGroup;
  operation: SpeedOperation;
  parts: readonly Part[];
};

export const sums: readonly Sum[] = [
  encryptThenAuthenticate('AES-128-CBC', 'HMAC-SHA-1'),
  encryptThenAuthenticate('AES-128-CBC', 'HMAC-SHA-256'),
  encryptThenAuthenticate('3DES-CBC', 'HMAC-SHA-1'),
  ...hybrid('X25519MLKEM768', 'X25519', 'ML-KEM-768'),
  ...hybrid('SecP256r1MLKEM768', 'ECDH-P-256', 'ML-KEM-768'),
  ...hybrid('SecP384r1MLKEM1024', 'ECDH-P-384', 'ML-KEM-1024'),
];

/** A record of TLS 1.2 and before, in two passes. */
function encryptThenAuthenticate(cipher: string, code: string): Sum {
  return {
    name: `${cipher}+${code}`,
    group: 'cipher',
    operation: 'encrypt',
    parts: [
      { primitive: cipher, operation: 'encrypt' },
      { primitive: code, operation: 'digest' },
    ],
  };
}

/**
 * The client makes both key pairs and opens what the server encapsulated; both ends agree on the other half.
 * Source: draft-ietf-tls-ecdhe-mlkem.
 */
function hybrid(name: string, agreement: string, kem: string): Sum[] {
  const shared: Part[] = [
    { primitive: agreement, operation: 'generate' },
    { primitive: agreement, operation: 'agree' },
  ];
  const ofClient: Part[] = [
    { primitive: kem, operation: 'generate' },
    { primitive: kem, operation: 'decapsulate' },
  ];
  const ofServer: Part[] = [{ primitive: kem, operation: 'encapsulate' }];
  return [
    { name, group: 'kem', operation: 'client', parts: [...shared, ...ofClient] },
    { name, group: 'kem', operation: 'server', parts: [...shared, ...ofServer] },
  ];
}
