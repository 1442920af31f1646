import { type ServerKey, serverKeys } from '../../../shared/target/server-options.ts';

/** TLS settings that all managed servers share, so that they differ in nothing but themselves. */

/**
 * Groups that keys are agreed in, the first preferred. Some servers know fewer by themselves, and then ask a client of TLS 1.3
 * for another key share. X25519MLKEM768 where the library has it: what browsers agree on with a server of today.
 */
export const classicalGroups = 'X25519:P-256:P-384';
export const hybridGroups = `X25519MLKEM768:${classicalGroups}`;

export const classicalKeys = serverKeys.filter((key) => !key.startsWith('ML-DSA'));

/** Up to TLS 1.2, as OpenSSL reads them. Its lowest level is for a key that it finds too short. */
export function cipherList(key: ServerKey): string {
  return isWeak(key) ? 'HIGH:!aNULL:!MD5:@SECLEVEL=0' : 'HIGH:!aNULL:!MD5';
}

/**
 * Suites of TLS 1.2 that agree on a key of their own, with OpenSSL's names.
 * @param ciphers in the order in which a library prefers them
 */
export function ecdheSuites(...ciphers: readonly string[]): string {
  return ['ECDSA', 'RSA'].flatMap((key) => ciphers.map((each) => `ECDHE-${key}-${each}`)).join(':');
}

/** Groups by their IANA names, in lower case. */
export function ianaGroups(groups: string): string[] {
  return groups.split(':').map((group) => curves[group] ?? group.toLowerCase());
}

const curves: Record<string, string> = { 'P-256': 'secp256r1', 'P-384': 'secp384r1' };

/** Compares a version such as `2.10.2`. */
export function isAtLeast(version: string, major: number, minor: number): boolean {
  const [itsMajor = 0, itsMinor = 0] = version.split('.').map(Number);
  return itsMajor > major || (itsMajor === major && itsMinor >= minor);
}

export function isWeak(key: ServerKey): boolean {
  return key === 'RSA-1024';
}

/** Answers at this path have a header with the server's view of the connection: resumed or full, in the server's own words. */
export const witnessPath = '/witness.html';
export const witnessHeader = 'tls-resumed';
/** Version, suite and group there, with spaces between them, as far as the server says. */
export const agreedHeader = 'tls-agreed';

/** Answers of a proxy itself, in place of the application's, have this header. */
export const proxyErrorHeader = 'tls-toll-proxy';
export const proxyErrors = [500, 502, 503, 504];

/** Seconds that an idle connection is kept unless a run asks for less: longer than any pause of a run. */
export const usualIdleS = 600;
/** Connections at once: the most that a run opens, and some for checks. */
export const mostConnections = 8192;
