import { describeSuite } from '../../../shared/base/cipher-suites.ts';
import type { TlsProfile } from '../../../shared/base/tls-profile.ts';
import { versionFor } from '../../base/addresses/offered-tls.ts';
import { CheckProblem } from './check-problem.ts';

/** Those that servers offer, the first preferred: more would be many connections to a server that is not ours. */
const usualGroups = ['X25519MLKEM768', 'X25519', 'P-256', 'P-384', 'P-521'];
const usualSuites = [
  ...['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ...['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-CHACHA20-POLY1305'],
  'AES128-GCM-SHA256',
];

/**
 * What went wrong with a suite or a group that was asked for by name, with those that the server would take instead.
 * @param accepts whether it takes a profile
 */
export async function withOffered(
  found: CheckProblem,
  profile: TlsProfile,
  accepts: (profile: TlsProfile) => Promise<boolean>,
): Promise<CheckProblem> {
  const { field } = found.wayOut;
  if (field !== 'tls.group' && field !== 'tls.cipher') return found;
  const name = field === 'tls.group' ? 'group' : 'cipher';
  const names = name === 'group' ? usualGroups : suitesFor(profile);
  const offered: string[] = [];
  for (const each of names.filter((one) => one !== profile[name])) {
    if (await accepts({ ...profile, [name]: each })) offered.push(each);
  }
  const isFound = offered.length > 0;
  // See `offerOf`: a group alone is not enough for TLS 1.2 with a certificate on P-256.
  const hint =
    name === 'group' && profile.version === null
      ? ' If it speaks TLS 1.2 only, choose that version too.'
      : '';
  const more = isFound ? ` The server offers ${list.format(offered)}.` : hint;
  return new CheckProblem(found.check, `${found.message}${more}`, found.wayOut);
}

const list = new Intl.ListFormat('en-US');

/** Of the version that was asked for, or that the suite asked for needs. */
function suitesFor(profile: TlsProfile): string[] {
  const version = versionFor(profile) ?? 'TLSv1.3';
  return usualSuites.filter((suite) => describeSuite(suite).versions.includes(version));
}
