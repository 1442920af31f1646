import {
  type CipherGCMTypes,
  createCipheriv,
  createHmac,
  createSecretKey,
  decapsulate,
  diffieHellman,
  encapsulate,
  generateKeyPairSync,
  hash,
  type KeyPairKeyObjectResult,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import type { z } from 'zod';
import type { SpeedOperation, Timed } from '../../../shared/kinds/speed/speed.ts';
import { answerQuestions } from '../../base/process/asked-process.ts';
import { ffdheParameters, libraryReason } from './handshake-lab.ts';
import { questions } from './speed-lab.ts';

/** Lengths in bytes. */
type Kind = { name: string; key: number; nonce: number; authenticates: boolean };

const kinds: Record<string, Kind> = {
  'AES-128-GCM': authenticated('aes-128-gcm', 16),
  'AES-256-GCM': authenticated('aes-256-gcm', 32),
  'AES-128-CCM': authenticated('aes-128-ccm', 16),
  'ChaCha20-Poly1305': authenticated('chacha20-poly1305', 32),
  'AES-128-CBC': bare('aes-128-cbc', 16, 16),
  'AES-192-CBC': bare('aes-192-cbc', 24, 16),
  'AES-256-CBC': bare('aes-256-cbc', 32, 16),
  '3DES-CBC': bare('des-ede3-cbc', 24, 8),
  RC4: bare('rc4', 16, 0),
  'DES-CBC': bare('des-cbc', 8, 8),
  'RC2-CBC': bare('rc2-cbc', 16, 8),
  'IDEA-CBC': bare('idea-cbc', 16, 8),
  'Blowfish-CBC': bare('bf-cbc', 16, 8),
  'CAST5-CBC': bare('cast5-cbc', 16, 8),
};

function authenticated(name: string, key: number): Kind {
  return { name, key, nonce: 12, authenticates: true };
}

function bare(name: string, key: number, nonce: number): Kind {
  return { name, key, nonce, authenticates: false };
}

/** Header of a record, which its tag covers. */
const headerBytes = 13;
const tagBytes = 16;

/** One record: a cipher with its key and nonce, the text, and the tag where there is one. */
function cipherCalls(primitive: string, bytes: number): Calls | null {
  const kind = kinds[primitive];
  if (kind === undefined) return null;
  const key = createSecretKey(randomBytes(kind.key));
  const text = randomBytes(bytes);
  if (!kind.authenticates) {
    const nonce = kind.nonce === 0 ? null : randomBytes(kind.nonce);
    return { of: { encrypt: () => encrypt(kind.name, key, nonce, text) } };
  }
  const header = randomBytes(headerBytes);
  const nonce = randomBytes(kind.nonce);
  const name = kind.name as CipherGCMTypes;
  return {
    of: {
      encrypt() {
        const cipher = createCipheriv(name, key, nonce, { authTagLength: tagBytes });
        cipher.setAAD(header, { plaintextLength: bytes });
        cipher.update(text);
        cipher.final();
        return cipher.getAuthTag();
      },
    },
  };
}

/** Blocks are whole, so nothing is padded. */
function encrypt(name: string, key: ReturnType<typeof createSecretKey>, nonce: Buffer | null, text: Buffer) {
  const cipher = createCipheriv(name, key, nonce).setAutoPadding(false);
  cipher.update(text);
  return cipher.final();
}

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

function agreementCalls(primitive: string): Calls | null {
  const generate = agreements[primitive]?.();
  if (generate === undefined) return null;
  const { privateKey } = generate();
  const { publicKey } = generate();
  return { of: { generate, agree: () => diffieHellman({ privateKey, publicKey }) } };
}

function encapsulationCalls(primitive: string): Calls | null {
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

/** Reading the clock takes a microsecond; between two readings there is so much work that it does not count. */
const batchUs = 300;
const warmUpUs = 15_000;
const mostWarmUpCalls = 2000;

/** Calls one primitive over and over, in batches that are large enough not to measure the clock. */
class MeasuredCall {
  readonly #call: Call;
  #batch = 1;

  /** Warms up: code that is compiled, caches that are filled. Throws what the call throws. */
  constructor(call: Call) {
    this.#call = call;
    const end = cpuUs() + warmUpUs;
    for (let calls = 0; calls < mostWarmUpCalls; calls += this.#batch) {
      const began = cpuUs();
      this.#repeat();
      const now = cpuUs();
      if (now - began < batchUs) this.#batch *= 2;
      if (now > end) break;
    }
  }

  /** CPU time is the whole process's: what the calls leave for others to tidy up is theirs. */
  measure(sliceMs: number): { calls: number; cpuUs: number } {
    // Garbage of others must not be collected during this measurement.
    globalThis.gc?.();
    const began = cpuUs();
    let elapsed = 0;
    let calls = 0;
    while (elapsed < sliceMs * 1000) {
      this.#repeat();
      calls += this.#batch;
      elapsed = cpuUs() - began;
    }
    return { calls, cpuUs: elapsed };
  }

  #repeat(): void {
    for (let left = this.#batch; left > 0; left--) this.#call();
  }
}

function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Length of the message that a handshake signs, once it is hashed. */
const messageBytes = 32;

function signatureCalls(primitive: string): Calls | null {
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

const names: Record<string, string> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
  'SHA3-256': 'sha3-256',
  'BLAKE2b-512': 'blake2b512',
  'BLAKE2s-256': 'blake2s256',
  'RIPEMD-160': 'ripemd160',
  MD2: 'md2',
  MD4: 'md4',
  MDC2: 'mdc2',
};

const keyBytes = 32;

function digestCalls(primitive: string, bytes: number): Calls | null {
  const authenticates = primitive.startsWith('HMAC-');
  const name = names[primitive.replace('HMAC-', '')];
  if (name === undefined) return null;
  const block = randomBytes(bytes);
  const key = randomBytes(keyBytes);
  return authenticates
    ? { of: { digest: () => createHmac(name, key).update(block).digest() } }
    : { of: { digest: () => hash(name, block, 'buffer') } };
}

/** A process that measures primitives and does nothing else. */

const prepared = new Map<string, [SpeedOperation, MeasuredCall][]>();
const emptySliceMs = 20;

answerQuestions(questions, { prepare, measure }, { reasonOf: libraryReason });

type Asked<Name extends keyof typeof questions> = z.output<(typeof questions)[Name]['question']>;

function prepare({ primitive, bytes }: Asked<'prepare'>): number | null {
  const { of: operations, empty } = callsOf(primitive, bytes);
  const measured = Object.entries(operations).map(
    ([operation, each]) =>
      [operation as SpeedOperation, new MeasuredCall(each)] as [SpeedOperation, MeasuredCall],
  );
  prepared.set(callKey(primitive, bytes), measured);
  const nothing = empty === undefined ? null : new MeasuredCall(empty).measure(emptySliceMs);
  return nothing === null ? null : nothing.cpuUs / nothing.calls;
}

function measure({ primitive, bytes, sliceMs }: Asked<'measure'>): Timed[] {
  const calls = prepared.get(callKey(primitive, bytes)) ?? [];
  return calls.map(([operation, each]) => ({ operation, ...each.measure(sliceMs) }));
}

function callKey(primitive: string, bytes: number | null): string {
  return `${primitive}/${bytes}`;
}

/** Throws the library's error for what it does not do. */
function callsOf(primitive: string, bytes: number | null): Calls {
  const calls =
    digestCalls(primitive, bytes ?? 0) ??
    cipherCalls(primitive, bytes ?? 0) ??
    signatureCalls(primitive) ??
    agreementCalls(primitive) ??
    encapsulationCalls(primitive);
  if (calls === null) throw new Error(`there is no call for ${primitive}`);
  return calls;
}

/** A call as a program would make it: whatever has to be made anew for each is made anew. */
type Call = () => unknown;

type Calls = {
  of: Partial<Record<SpeedOperation, Call>>;
  /** A call of `verify` that ends before the primitive begins. */
  empty?: Call;
};
