import { generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeyName } from '../../../shared/kinds/handshakes/handshake-names.ts';
import { der, objectIdentifier, sequence, tags, text } from './der.ts';

/** Both PEM. */
export type Identity = { cert: string; key: string };

/**
 * A key and a certificate that it signs itself, the smallest that every client reads: one name, no chain. Written here
 * so that those of all keys differ in their key and signature alone, and a process that measures loads no library for it.
 * Sources: RFC 5280 section 4.1; RFC 9881 for ML-DSA.
 */
export async function issueCertificate(key: KeyName): Promise<Identity> {
  const { generate, algorithm, digest, signatureBytes } = kinds[key];
  const { privateKey, publicKey } = await generate();
  for (;;) {
    const body = certificateBody(publicKey, algorithm);
    const signature = sign(digest, body, privateKey);
    // An ECDSA signature is some bytes longer or shorter by chance; all certificates of a key are to be of one size.
    if (signatureBytes !== null && signature.length !== signatureBytes) continue;
    const certificate = sequence(body, algorithm, der(tags.bitString, Uint8Array.of(0), signature));
    return { cert: pem(certificate), key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
  }
}

type Kind = {
  generate(): Promise<{ privateKey: KeyObject; publicKey: KeyObject }>;
  algorithm: Buffer;
  digest: string | null;
  signatureBytes: number | null;
};

const generated = promisify(generateKeyPair);

const kinds: Record<KeyName, Kind> = {
  'RSA-512': rsa(512),
  'RSA-1024': rsa(1024),
  'RSA-2048': rsa(2048),
  'RSA-3072': rsa(3072),
  'RSA-4096': rsa(4096),
  'P-256': ecdsa('P-256', '1.2.840.10045.4.3.2', 'sha256', 71),
  'P-384': ecdsa('P-384', '1.2.840.10045.4.3.3', 'sha384', 103),
  Ed25519: {
    generate: () => generated('ed25519'),
    algorithm: sequence(objectIdentifier('1.3.101.112')),
    digest: null,
    signatureBytes: null,
  },
  'ML-DSA-44': mlDsa('ml-dsa-44', '2.16.840.1.101.3.4.3.17'),
  'ML-DSA-65': mlDsa('ml-dsa-65', '2.16.840.1.101.3.4.3.18'),
  'ML-DSA-87': mlDsa('ml-dsa-87', '2.16.840.1.101.3.4.3.19'),
};

function rsa(modulusLength: number): Kind {
  return {
    generate: () => generated('rsa', { modulusLength }),
    algorithm: sequence(objectIdentifier('1.2.840.113549.1.1.11'), der(tags.null)),
    digest: 'sha256',
    signatureBytes: null,
  };
}

function ecdsa(namedCurve: string, algorithm: string, digest: string, signatureBytes: number): Kind {
  return {
    generate: () => generated('ec', { namedCurve }),
    algorithm: sequence(objectIdentifier(algorithm)),
    digest,
    signatureBytes,
  };
}

function mlDsa(type: 'ml-dsa-44' | 'ml-dsa-65' | 'ml-dsa-87', algorithm: string): Kind {
  return {
    generate: () => generated(type),
    algorithm: sequence(objectIdentifier(algorithm)),
    digest: null,
    signatureBytes: null,
  };
}

const name = 'lab.tls-toll.test';

function certificateBody(publicKey: KeyObject, algorithm: Buffer): Buffer {
  const named = sequence(der(tags.set, sequence(objectIdentifier('2.5.4.3'), text(tags.utf8String, name))));
  const serial = randomBytes(16);
  // Positive, and of all its bytes.
  serial[0] = 0x4a;
  return sequence(
    der(0xa0, der(tags.integer, Uint8Array.of(2))),
    der(tags.integer, serial),
    algorithm,
    named,
    sequence(text(tags.utcTime, '250101000000Z'), text(tags.utcTime, '491231235959Z')),
    named,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeName())),
  );
}

function alternativeName(): Buffer {
  return sequence(objectIdentifier('2.5.29.17'), der(tags.octetString, sequence(text(0x82, name))));
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
