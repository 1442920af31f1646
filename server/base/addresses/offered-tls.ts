import { describeSuite } from '../../../shared/base/cipher-suites.ts';
import { type TlsProfile, type TlsVersion, tlsVersionSchema } from '../../../shared/base/tls-profile.ts';

type Asked = Pick<TlsProfile, 'version' | 'cipher' | 'group'>;

/** Options of `createSecureContext`. */
type Offer = { minVersion: TlsVersion; maxVersion: TlsVersion; ciphers?: string; ecdhCurve?: string };

/**
 * What a client offers: what was asked for, and the library's own choice of the rest.
 * @param usual Node's own list of suites
 */
export function offerOf(asked: Asked, weakKey: boolean, usual: string): Offer {
  const version = versionFor(asked);
  return {
    minVersion: version ?? 'TLSv1.2',
    maxVersion: version ?? 'TLSv1.3',
    ...ciphersFor(asked.cipher, version, weakKey, usual),
    ...groupsFor(asked.group, version),
  };
}

/** The only version that will do: the one asked for, or that of the suite or the group asked for. Null where each will. */
export function versionFor({ version, cipher, group }: Asked): TlsVersion | null {
  if (version !== null) return version;
  if (cipher !== null && !cipher.includes('_WITH_')) {
    const { versions } = describeSuite(cipher);
    return tlsVersionSchema.options.find((known) => versions.includes(known)) ?? null;
  }
  // Key encapsulation came with TLS 1.3.
  return group !== null && /ML-?KEM/i.test(group) ? 'TLSv1.3' : null;
}

/**
 * A key that OpenSSL finds too short needs its lowest level, which is written into the list; a level is no list, so a suite of
 * TLS 1.3 gets one beside it.
 */
function ciphersFor(
  cipher: string | null,
  version: TlsVersion | null,
  weakKey: boolean,
  usual: string,
): { ciphers?: string } {
  if (!weakKey) return cipher === null ? {} : { ciphers: cipher };
  const suites = cipher === null ? usual : version === 'TLSv1.3' ? `${cipher}:DEFAULT` : cipher;
  return { ciphers: `${suites}:@SECLEVEL=0` };
}

/**
 * A certificate on P-256 or P-384 needs that curve in the list of TLS 1.2, whatever group the keys are agreed in. With TLS 1.3 offered as
 * well, a server would agree the keys in it.
 */
function groupsFor(group: string | null, version: TlsVersion | null): { ecdhCurve?: string } {
  if (group === null) return {};
  return { ecdhCurve: version === 'TLSv1.2' ? [...new Set([group, 'P-256', 'P-384'])].join(':') : group };
}

const curveNames: Record<string, string> = {
  prime256v1: 'P-256',
  secp256r1: 'P-256',
  curvep256: 'P-256',
  secp384r1: 'P-384',
  curvep384: 'P-384',
  secp521r1: 'P-521',
  curvep521: 'P-521',
};

/** The one name that this product has for a group, of which libraries have several. */
export function groupName(name: string): string {
  return curveNames[name.toLowerCase()] ?? name;
}
