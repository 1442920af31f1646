import { duplexPair } from 'node:stream';
import {
  connect,
  createSecureContext,
  DEFAULT_CIPHERS,
  type SecureContext,
  type SecureContextOptions,
  TLSSocket,
} from 'node:tls';
import { describeSuite } from '../../../shared/base/cipher-suites.ts';
import { printTlsVersion } from '../../../shared/base/tls.ts';
import type { TlsProfile } from '../../../shared/base/tls-profile.ts';
import { codeOf } from '../../base/text/foreign-errors.ts';
import { offerOf, readNegotiated, versionFor } from '../../base/wire/negotiated-tls.ts';
import { explainChoice, explainOlder, explainTerms, findSubstitute } from './explain-connection.ts';
import { CheckProblem } from './inspection.ts';

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
  if (profile[name] === null) return found;
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
  return new CheckProblem(found.check, `${found.message}${more}`, found.wayOut, found.cause);
}

/** Payload of an Ethernet packet, less the headers of IPv6 and of TCP with its options. */
const packetBytes = 1420;

/**
 * A handshake that ended without a reason, explained by what a handshake that succeeds does not have: a name that was asked for, or a
 * first message of two packets, which some devices drop.
 * @param accepts whether the server takes a profile
 */
export async function withDifference(
  found: CheckProblem,
  profile: TlsProfile,
  accepts: (profile: TlsProfile) => Promise<boolean>,
): Promise<CheckProblem> {
  const { helloBytes } = found.wayOut;
  if (helloBytes === undefined) return found;
  const named = (['group', 'cipher', 'version'] as const).filter((name) => profile[name] !== null);
  for (const name of named) {
    if (!(await accepts({ ...profile, [name]: null }))) continue;
    const asked = printTlsVersion(profile[name] ?? '');
    const message = `${found.message} It succeeds when ${asked} is not asked for. Choose another one.`;
    return new CheckProblem(found.check, message, { field: `tls.${name}` }, found.cause);
  }
  if (named.length > 0 || helloBytes <= packetBytes) return found;
  const size = `The client’s first message has ${helloBytes} bytes, which is more than one packet`;
  for (const { change, said, flag, field } of shorter) {
    if (!(await accepts({ ...profile, ...change }))) continue;
    const message = `${found.message} ${size}: with ${said}, which fits in one, the handshake succeeds. Use ${flag}, and look for what drops the second packet.`;
    return new CheckProblem(found.check, message, { field }, found.cause);
  }
  return found;
}

/** Classical groups before an older version: it changes less. */
const shorter = [
  { change: { group: 'X25519' }, said: 'the group X25519', flag: '--group X25519', field: 'tls.group' },
  { change: { group: 'P-256' }, said: 'the group P-256', flag: '--group P-256', field: 'tls.group' },
  { change: { version: 'TLSv1.2' }, said: 'TLS 1.2', flag: '--tls 1.2', field: 'tls.version' },
] as const;

const list = new Intl.ListFormat('en-US');

/** Of the version that was asked for, or that the suite asked for needs. */
function suitesFor(profile: TlsProfile): string[] {
  const version = versionFor(profile) ?? 'TLSv1.3';
  return usualSuites.filter((suite) => describeSuite(suite).versions.includes(version));
}

/**
 * Whether a client that asks for this comes to terms with a server that is configured like that: a handshake between two ends in memory.
 * Resolves with why it does not, in the words of a check; null where it does, and for what has nothing to do with what is asked.
 * @param server its key and certificate, suites, and groups
 * @param title of the server, as a sentence begins
 */
export async function rehearseHandshake(
  profile: TlsProfile,
  server: SecureContextOptions,
  title: string,
): Promise<CheckProblem | null> {
  const uncompressed = explainOlder(profile);
  if (uncompressed !== null) return uncompressed;
  let secureContext: SecureContext;
  try {
    secureContext = createSecureContext(offerOf(profile, false, DEFAULT_CIPHERS));
  } catch (error) {
    return explainChoice(codeOf(error), profile);
  }
  const [near, far] = duplexPair();
  const serverContext = createSecureContext({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3', ...server });
  const listening = new TLSSocket(far, { isServer: true, secureContext: serverContext });
  listening.on('error', () => {});
  const client = connect({ socket: near, secureContext, rejectUnauthorized: false });
  try {
    const code = await new Promise<string | null>((resolve) => {
      client.once('secureConnect', () => resolve(null));
      client.once('error', (error) => resolve(codeOf(error)));
      client.once('close', () => resolve('closed'));
    });
    if (code !== null) return explainTerms(code, title, profile);
    const { group } = readNegotiated(client, false, undefined);
    return findSubstitute(client.getCipher(), group, profile);
  } finally {
    client.destroy();
    listening.destroy();
  }
}
