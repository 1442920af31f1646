import type { TlsField, TlsProfile, TlsVersion } from '../../../shared/base/tls-profile.ts';
import { printTlsVersion } from '../../../shared/words/negotiated-words.ts';
import { groupName, versionFor } from '../../base/addresses/offered-tls.ts';
import { CheckProblem } from './check-problem.ts';

/** What a profile asks for by name, a version, a suite or a group, and why it is not to be had. */

/** Why the library makes no client for the profile, or none that it lets begin. `code` is the library's. */
export function explainChoice(code: string, profile: TlsProfile): CheckProblem {
  const { cipher, group } = profile;
  if (cipher !== null && /NO_CIPHER_MATCH/.test(code)) {
    const hint = 'Use an OpenSSL name, such as TLS_AES_128_GCM_SHA256.';
    return refusing('cipher', `The cipher suite “${cipher}” is unknown. ${hint}`);
  }
  if (cipher !== null && /NO_CIPHERS_AVAILABLE/.test(code)) return wrongVersion('cipher', cipher, profile);
  if (group !== null && /NO_SUITABLE_GROUPS/.test(code)) return wrongVersion('group', group, profile);
  if (group !== null) {
    const hint = 'Use an OpenSSL name, such as X25519 or X25519MLKEM768.';
    return refusing('group', `The group “${group}” is unknown. ${hint}`);
  }
  return new CheckProblem('tls', `The TLS settings cannot be used (${code}).`);
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
): CheckProblem | null {
  const { version, cipher, group: asked } = profile;
  if (cipher !== null && cipher !== suite.name && cipher !== suite.standardName) {
    return wrongVersion('cipher', cipher, profile);
  }
  if (asked !== null && group !== null && !isSameGroup(asked, group)) {
    const where = version === null ? '' : ` in ${printTlsVersion(version)}`;
    return refusing(
      'group',
      `The server negotiated ${group}, not “${asked}”. Choose a group that it supports${where}.`,
    );
  }
  return null;
}

/** The server speaks TLS, and not the only version that will do. Null where either would. */
function explainVersion(endpoint: string, profile: TlsProfile): CheckProblem | null {
  const needed = versionFor(profile);
  if (needed === null) return null;
  const otherVersion: TlsVersion = needed === 'TLSv1.3' ? 'TLSv1.2' : 'TLSv1.3';
  const other = printTlsVersion(otherVersion);
  const speaks = `${endpoint} speaks ${other} ${needed === 'TLSv1.3' ? 'at most' : 'only'}`;
  const enabled = `enable ${needed.replace('TLSv', '')} on the server.`;
  const { version, cipher, group } = profile;
  if (version !== null) {
    return refusing('version', `${speaks}. Choose ${other}, or ${enabled}`, otherVersion);
  }
  const [field, name] = cipher === null ? (['group', group] as const) : (['cipher', cipher] as const);
  return refusing(
    field,
    `${speaks}, and ${name} needs ${printTlsVersion(needed)}. Choose another, or ${enabled}`,
  );
}

/** Why a handshake came to no terms, whatever was asked for. `code` is the library's, and `null` stands for none of these reasons. */
export function explainTerms(code: string, endpoint: string, profile: TlsProfile): CheckProblem | null {
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|WRONG_SSL_VERSION/.test(code)) {
    const neither = `${endpoint} speaks neither TLS 1.3 nor TLS 1.2. Enable one of them on the server.`;
    return explainVersion(endpoint, profile) ?? new CheckProblem('tls', neither);
  }
  if (/NO_CIPHERS_AVAILABLE|NO_SUITABLE_GROUPS/.test(code)) return explainChoice(code, profile);
  return /HANDSHAKE_FAILURE/.test(code) ? explainRejection(endpoint, profile) : null;
}

/** The server shares no suite or group with the client. */
function explainRejection(endpoint: string, { cipher, group }: TlsProfile): CheckProblem {
  const asked = [cipher === null ? '' : `the suite ${cipher}`, group === null ? '' : `the group ${group}`];
  const named = asked.filter((name) => name !== '').join(' or ');
  if (named === '') {
    const shared = 'it shares no cipher suite or group with the client';
    return new CheckProblem('tls', `${endpoint} refused the handshake: ${shared}.`);
  }
  return refusing(cipher === null ? 'group' : 'cipher', `${endpoint} does not accept ${named}.`);
}

function wrongVersion(field: 'cipher' | 'group', name: string, profile: TlsProfile): CheckProblem {
  const kind = field === 'cipher' ? 'cipher suite' : 'group';
  const version = versionFor(profile);
  return refusing(
    field,
    version === null
      ? `The ${kind} “${name}” was not negotiated. Choose one that the server supports.`
      : `The ${kind} “${name}” is not available in ${printTlsVersion(version)}. Choose another one, or another version.`,
  );
}

function refusing(tlsField: TlsField, message: string, otherVersion?: TlsVersion): CheckProblem {
  return new CheckProblem('tls', message, { field: `tls.${tlsField}`, otherVersion });
}

function isSameGroup(one: string, other: string): boolean {
  return groupName(one).toLowerCase() === groupName(other).toLowerCase();
}
