import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { isIP, isIPv4, SocketAddress } from 'node:net';
import * as der from './der.ts';

/**
 * X.509 version 3 certificates of two kinds, on ECDSA P-256 with SHA-256: an authority signed by itself, and a
 * server certificate signed by an authority. Source of the fields: RFC 5280, section 4.
 */

export type Issued = { certificatePem: string; keyPem: string };

export type Validity = { notBefore: Date; notAfter: Date };

export function issueAuthority(commonName: string, validity: Validity): Issued {
  const { publicKey, privateKey } = keyPair();
  const extensions = [
    extension(oids.basicConstraints, critical, der.sequence(der.boolean(true), der.integer([0]))),
    extension(oids.keyUsage, critical, keyUsage(usage.keyCertSign | usage.cRLSign)),
    extension(oids.subjectKeyIdentifier, optional, der.octetString(keyIdentifier(publicKey))),
  ];
  const name = nameOf(commonName);
  return issued(privateKey, { issuer: name, subject: name, validity, publicKey, extensions }, privateKey);
}

/** `hosts` are DNS names and IP addresses; the first is the common name too. */
export function issueServer(
  hosts: readonly [string, ...string[]],
  validity: Validity,
  authority: { commonName: string; keyPem: string; publicKey: KeyObject },
): Issued {
  const { publicKey, privateKey } = keyPair();
  const extensions = [
    extension(oids.basicConstraints, critical, der.sequence()),
    extension(oids.keyUsage, critical, keyUsage(usage.digitalSignature)),
    extension(oids.extendedKeyUsage, optional, der.sequence(der.objectIdentifier(oids.serverAuth))),
    extension(oids.subjectAltName, optional, der.sequence(...hosts.map(generalName))),
    extension(oids.subjectKeyIdentifier, optional, der.octetString(keyIdentifier(publicKey))),
    extension(
      oids.authorityKeyIdentifier,
      optional,
      der.sequence(der.implicit(0, keyIdentifier(authority.publicKey))),
    ),
  ];
  const issuer = nameOf(authority.commonName);
  const subject = nameOf(hosts[0]);
  return issued(
    privateKey,
    { issuer, subject, validity, publicKey, extensions },
    createPrivateKey(authority.keyPem),
  );
}

type Fields = {
  issuer: Buffer;
  subject: Buffer;
  validity: Validity;
  publicKey: KeyObject;
  extensions: Buffer[];
};

const oids = {
  commonName: '2.5.4.3',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
};
/** Bits of KeyUsage, the first named bit highest. */
const usage = { digitalSignature: 0x80, keyCertSign: 0x04, cRLSign: 0x02 };
const critical = true;
const optional = false;

function keyPair() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function issued(ownKey: KeyObject, fields: Fields, signingKey: KeyObject): Issued {
  const algorithm = der.sequence(der.objectIdentifier(oids.ecdsaWithSha256));
  const toBeSigned = der.sequence(
    der.explicit(0, der.integer([2])),
    der.integer(serialNumber()),
    algorithm,
    fields.issuer,
    der.sequence(der.time(fields.validity.notBefore), der.time(fields.validity.notAfter)),
    fields.subject,
    spkiOf(fields.publicKey),
    der.explicit(3, der.sequence(...fields.extensions)),
  );
  const signature = sign('sha256', toBeSigned, signingKey);
  return {
    certificatePem: pem(der.sequence(toBeSigned, algorithm, der.bitString(signature))),
    keyPem: ownKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** 127 random bits, never 0. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

function nameOf(commonName: string): Buffer {
  return der.sequence(
    der.set(der.sequence(der.objectIdentifier(oids.commonName), der.utf8String(commonName))),
  );
}

function extension(oid: string, isCritical: boolean, value: Buffer): Buffer {
  const flag = isCritical ? [der.boolean(true)] : [];
  return der.sequence(der.objectIdentifier(oid), ...flag, der.octetString(value));
}

function keyUsage(bits: number): Buffer {
  // DER drops the zero bits at the end of a named bit list.
  const unused = 31 - Math.clz32(bits & -bits);
  return der.bitString(Buffer.from([bits]), unused);
}

function generalName(host: string): Buffer {
  return isIP(host) === 0 ? der.implicit(2, Buffer.from(host, 'ascii')) : der.implicit(7, addressBytes(host));
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // The textual form may leave out zeros; SocketAddress checks it, and the groups are filled in by hand.
  const text = new SocketAddress({ address, family: 'ipv6' }).address;
  const [head = '', tail] = text.split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function spkiOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}

/** Truncated SHA-256 of the key, RFC 7093, section 2, method 4. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash('sha256').update(spkiOf(publicKey)).digest().subarray(0, 20);
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
