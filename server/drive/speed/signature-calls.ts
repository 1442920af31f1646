import { generateKeyPairSync, type KeyPairKeyObjectResult, randomBytes, sign, verify } from 'node:crypto';
import type { Calls } from './calls.ts';

/** As long as what a handshake has signed, once it is hashed. */
const messageBytes = 32;

export function signatureCalls(primitive: string): Calls | null {
  const pair = pairOf(primitive);
  if (pair === null) return null;
  // Ed25519 and ML-DSA hash for themselves.
  const digest = /^(RSA|ECDSA)/.test(primitive) ? 'sha256' : null;
  const { privateKey, publicKey } = pair;
  const message = randomBytes(messageBytes);
  const signature = sign(digest, message, privateKey);
  const tooShort = signature.subarray(0, 1);
  return {
    of: {
      sign: () => sign(digest, message, privateKey),
      verify: () => verify(digest, message, publicKey, signature),
    },
    empty: () => verify(digest, message, publicKey, tooShort),
  };
}

function pairOf(primitive: string): KeyPairKeyObjectResult | null {
  const bits = /^RSA-(\d+)$/.exec(primitive)?.[1];
  if (bits !== undefined) return generateKeyPairSync('rsa', { modulusLength: Number(bits) });
  switch (primitive) {
    case 'ECDSA-P-256':
    case 'ECDSA-P-384':
      return generateKeyPairSync('ec', { namedCurve: primitive.slice('ECDSA-'.length) });
    case 'Ed25519':
      return generateKeyPairSync('ed25519');
    case 'ML-DSA-44':
      return generateKeyPairSync('ml-dsa-44');
    case 'ML-DSA-65':
      return generateKeyPairSync('ml-dsa-65');
    case 'ML-DSA-87':
      return generateKeyPairSync('ml-dsa-87');
    default:
      return null;
  }
}
