import type { PrimitiveGroup, SpeedOperation } from '../../../../shared/kinds/speed/speed.ts';

/** What the speed table can measure, and how `openssl speed` is told to measure the same. */
export type Primitive = {
  name: string;
  group: PrimitiveGroup;
  operations: readonly SpeedOperation[];
  /** Measured at every size of a block. */
  sized: boolean;
  /** Kept by the library for old data only, in its legacy provider. */
  legacy: boolean;
  /** Arguments of `openssl speed`; null where it has nothing that does the same. */
  reference: readonly string[] | null;
};

export const primitives: readonly Primitive[] = [
  ...['MD5', 'SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'].map((name) => digest(name, evp(plain(name)))),
  digest('SHA3-256', evp('sha3-256')),
  digest('BLAKE2b-512', evp('blake2b512')),
  digest('BLAKE2s-256', evp('blake2s256')),
  digest('RIPEMD-160', evp('ripemd160')),
  ...['MD5', 'SHA-1', 'SHA-256'].map((name) => digest(`HMAC-${name}`, ['-hmac', plain(name)])),
  ...['MD2', 'MD4', 'MDC2'].map((name) => old(digest(name, evp(plain(name))))),

  ...['AES-128-GCM', 'AES-256-GCM', 'AES-128-CCM', 'ChaCha20-Poly1305'].map((name) =>
    // In the sequence of a TLS record: nonce, associated data, text, tag.
    cipher(name, ['-aead', ...evp(name.toLowerCase())]),
  ),
  ...['AES-128-CBC', 'AES-192-CBC', 'AES-256-CBC'].map((name) => cipher(name, evp(name.toLowerCase()))),
  cipher('3DES-CBC', evp('des-ede3-cbc')),
  old(cipher('RC4', evp('rc4'))),
  old(cipher('DES-CBC', evp('des-cbc'))),
  old(cipher('RC2-CBC', evp('rc2-cbc'))),
  old(cipher('IDEA-CBC', evp('idea-cbc'))),
  old(cipher('Blowfish-CBC', evp('bf-cbc'))),
  old(cipher('CAST5-CBC', evp('cast5-cbc'))),

  ...[512, 1024, 2048, 3072, 4096].map((bits) => signature(`RSA-${bits}`, [`rsa${bits}`])),
  signature('ECDSA-P-256', ['ecdsap256']),
  signature('ECDSA-P-384', ['ecdsap384']),
  signature('Ed25519', ['ed25519']),
  ...['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'].map((name) => signature(name, [name])),

  agreement('X25519', ['ecdhx25519']),
  agreement('ECDH-P-256', ['ecdhp256']),
  agreement('ECDH-P-384', ['ecdhp384']),
  agreement('ECDH-P-521', ['ecdhp521']),
  agreement('X448', ['ecdhx448']),
  agreement('ffdhe2048', ['ffdh2048']),
  agreement('ffdhe3072', ['ffdh3072']),

  ...['ML-KEM-512', 'ML-KEM-768', 'ML-KEM-1024'].map(encapsulation),
];

function digest(name: string, reference: readonly string[]): Primitive {
  return { name, group: 'digest', operations: ['digest'], sized: true, legacy: false, reference };
}

function cipher(name: string, reference: readonly string[]): Primitive {
  return { name, group: 'cipher', operations: ['encrypt'], sized: true, legacy: false, reference };
}

function signature(name: string, reference: readonly string[]): Primitive {
  return { ...unsized(name, reference), group: 'signature', operations: ['sign', 'verify'] };
}

function agreement(name: string, reference: readonly string[]): Primitive {
  return { ...unsized(name, reference), group: 'agreement', operations: ['generate', 'agree'] };
}

function encapsulation(name: string): Primitive {
  const operations = ['generate', 'encapsulate', 'decapsulate'] as const;
  return { ...unsized(name, [name]), group: 'kem', operations };
}

function unsized(name: string, reference: readonly string[]) {
  return { name, sized: false, legacy: false, reference };
}

function old(primitive: Primitive): Primitive {
  const providers = ['-provider', 'legacy', '-provider', 'default'];
  return { ...primitive, legacy: true, reference: [...providers, ...(primitive.reference ?? [])] };
}

function evp(name: string): string[] {
  return ['-evp', name];
}

function plain(name: string): string {
  return name.toLowerCase().replace('-', '');
}
