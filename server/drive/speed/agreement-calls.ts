import {
  decapsulate,
  diffieHellman,
  encapsulate,
  generateKeyPairSync,
  type KeyPairKeyObjectResult,
} from 'node:crypto';
import { ffdheParameters } from '../handshakes/ffdhe.ts';
import type { Calls } from './calls.ts';

type MakePair = () => KeyPairKeyObjectResult;

const agreements: Record<string, () => MakePair> = {
  X25519: () => () => generateKeyPairSync('x25519'),
  X448: () => () => generateKeyPairSync('x448'),
  'ECDH-P-256': () => () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'ECDH-P-384': () => () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'ECDH-P-521': () => () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  ffdhe2048: () => finiteField('ffdhe2048'),
  ffdhe3072: () => finiteField('ffdhe3072'),
};

const encapsulations: Record<string, MakePair> = {
  'ML-KEM-512': () => generateKeyPairSync('ml-kem-512'),
  'ML-KEM-768': () => generateKeyPairSync('ml-kem-768'),
  'ML-KEM-1024': () => generateKeyPairSync('ml-kem-1024'),
};

export function agreementCalls(primitive: string): Calls | null {
  const generate = agreements[primitive]?.();
  if (generate === undefined) return null;
  const { privateKey } = generate();
  const { publicKey } = generate();
  return { of: { generate, agree: () => diffieHellman({ privateKey, publicKey }) } };
}

export function encapsulationCalls(primitive: string): Calls | null {
  const generate = encapsulations[primitive];
  if (generate === undefined) return null;
  const { privateKey, publicKey } = generate();
  const { ciphertext } = encapsulate(publicKey);
  return {
    of: {
      generate,
      encapsulate: () => encapsulate(publicKey),
      decapsulate: () => decapsulate(privateKey, ciphertext),
    },
  };
}

/** The types of the platform leave this kind of key out. */
const generateAny = generateKeyPairSync as (type: string, options: object) => KeyPairKeyObjectResult;

/** The library knows the group again by its prime, and takes its short exponents. */
function finiteField(name: string): MakePair {
  const parameters = Buffer.from((ffdheParameters[name] ?? '').replace(/-----.*-----/g, ''), 'base64');
  // Two headers of four bytes and a zero before it, the generator behind it.
  const prime = parameters.subarray(9, -3);
  return () => generateAny('dh', { prime, generator: 2 });
}
