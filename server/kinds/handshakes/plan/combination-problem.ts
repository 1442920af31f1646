import { describeSuite, type Suite } from '../../../../shared/base/cipher-suites.ts';
import {
  type GroupName,
  type KeyName,
  legacyKeys,
  legacyVersions,
  type TlsVersion,
} from '../../../../shared/kinds/handshakes/handshake-names.ts';

export type Combination = {
  version: TlsVersion;
  cipher: string;
  key: KeyName;
  group: GroupName | null;
  /** The group that the client tries first, when the server does not want it. */
  guess?: GroupName | undefined;
};

/**
 * What no implementation could negotiate, in a sentence; null for what the library may be asked. What is only unusual
 * is left to the library, whose rejection is then a result. Sources: RFC 8446 sections 4.2.7 and 9.2, RFC 5246
 * section 7.4.2, RFC 8422 section 5, RFC 8032; ML-DSA and ML-KEM are defined for TLS 1.3 alone.
 */
export function combinationProblem({ version, cipher, key, group, guess }: Combination): string | null {
  const suite = describeSuite(cipher);
  if (!suite.versions.includes(version)) {
    return `${cipher} works with ${suite.versions.join(', ')}, not with ${version}.`;
  }
  return (
    keyProblem(version, suite, key) ??
    groupProblem(version, suite, group) ??
    guessProblem(version, group, guess)
  );
}

function guessProblem(version: TlsVersion, group: GroupName | null, guess?: GroupName): string | null {
  if (guess === undefined) return null;
  if (version !== 'TLSv1.3') return `Only TLSv1.3 clients guess a group, such as ${guess}.`;
  return guess === group ? `The server already wants ${guess}. Remove the guess.` : null;
}

/** What is too weak to be measured without asking for it. */
export function problemWithoutLegacy({ version, cipher, key }: Combination): string | null {
  if (legacyVersions.includes(version)) return `${version} needs the legacy option.`;
  if (legacyKeys.includes(key)) return `The key ${key} needs the legacy option.`;
  if (describeSuite(cipher).broken) return `${cipher} needs the legacy option.`;
  return null;
}

function keyProblem(version: TlsVersion, { name, authentication }: Suite, key: KeyName): string | null {
  if (key.startsWith('ML-DSA') && version !== 'TLSv1.3') {
    return `The key ${key} needs TLSv1.3.`;
  }
  if (key === 'Ed25519' && version !== 'TLSv1.3' && version !== 'TLSv1.2') {
    return 'The key Ed25519 needs TLSv1.3 or TLSv1.2.';
  }
  if (authentication === 'RSA' && !key.startsWith('RSA')) {
    return `${name} needs an RSA key, such as RSA-2048, not ${key}.`;
  }
  if (authentication === 'ECDSA' && key.startsWith('RSA')) {
    return `${name} needs the key P-256, P-384 or Ed25519, not ${key}.`;
  }
  return null;
}

const curves: readonly GroupName[] = ['X25519', 'P-256', 'P-384', 'P-521', 'X448'];
const fields: readonly GroupName[] = ['ffdhe2048', 'ffdhe3072'];

function groupProblem(
  version: TlsVersion,
  { name, exchange }: Suite,
  group: GroupName | null,
): string | null {
  if (exchange === 'RSA') {
    return group === null ? null : `${name} uses no key agreement group. Remove ${group}.`;
  }
  if (group === null) return `${name} needs a group, such as ${exchange === 'DHE' ? 'ffdhe2048' : 'X25519'}.`;
  if (exchange === 'ECDHE' && !curves.includes(group)) {
    return `${name} in ${version} needs a curve (${curves.join(', ')}), not ${group}.`;
  }
  if (exchange === 'DHE' && !fields.includes(group)) {
    return `${name} needs a finite-field group (${fields.join(', ')}), not ${group}.`;
  }
  return null;
}
