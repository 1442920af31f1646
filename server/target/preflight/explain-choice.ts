import type { TlsProfile } from '../../../shared/tls-profile.ts';

/** What a profile asks for by name, a suite or a group, and why it is not to be had. */

/** Why the library makes no client for the profile, or none that it lets begin. `code` is the library's. */
export function explainChoice(code: string, profile: TlsProfile): string {
  const { version, cipher, group } = profile;
  if (cipher !== null && /NO_CIPHER_MATCH/.test(code)) {
    return `The cipher suite “${cipher}” is unknown. Use an OpenSSL name, such as TLS_AES_128_GCM_SHA256.`;
  }
  if (cipher !== null && /NO_CIPHERS_AVAILABLE/.test(code))
    return wrongVersion('cipher suite', cipher, version);
  if (group !== null && /NO_SUITABLE_GROUPS/.test(code)) return wrongVersion('group', group, version);
  if (group !== null) {
    return `The group “${group}” is unknown. Use an OpenSSL name, such as X25519 or X25519MLKEM768.`;
  }
  return `The TLS settings cannot be used (${code}).`;
}

/**
 * What the library took instead of a name that is none of the version's, which it passes over without a word.
 * @param suite both names of the suite that was negotiated
 * @param group the one that was negotiated; null when the library does not say
 */
export function findSubstitute(
  suite: { name: string; standardName: string },
  group: string | null,
  profile: TlsProfile,
): string | null {
  const { version, cipher, group: asked } = profile;
  if (cipher !== null && cipher !== suite.name && cipher !== suite.standardName) {
    return wrongVersion('cipher suite', cipher, version);
  }
  if (asked !== null && group !== null && nameOf(asked) !== nameOf(group)) {
    return `The server negotiated ${group}, not “${asked}”. Choose a group that it supports in ${version}.`;
  }
  return null;
}

/** The names that a server did not accept, as the end of a sentence. */
export function describeRefusal({ cipher, group }: TlsProfile): string {
  const asked = [cipher === null ? '' : `the suite ${cipher}`, group === null ? '' : `the group ${group}`];
  const named = asked.filter((name) => name !== '').join(' or ');
  return named === '' ? 'shares no cipher suite or group with the client' : `does not accept ${named}`;
}

function wrongVersion(kind: string, name: string, version: string): string {
  return `The ${kind} “${name}” is not available in ${version}. Choose another one, or another version.`;
}

const otherNames: Record<string, string> = {
  'p-256': 'prime256v1',
  secp256r1: 'prime256v1',
  'p-384': 'secp384r1',
  'p-521': 'secp521r1',
};

function nameOf(group: string): string {
  const name = group.toLowerCase();
  return otherNames[name] ?? name;
}
