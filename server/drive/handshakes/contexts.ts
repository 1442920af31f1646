import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { describeSuite } from '../../../shared/base/cipher-suites.ts';
import { legacyKeys, legacyVersions } from '../../../shared/kinds/handshakes/handshake-names.ts';
import type { HandshakeCell } from '../../../shared/kinds/handshakes/handshakes.ts';
import { ffdheParameters } from './ffdhe.ts';
import type { Identity } from './issue-certificate.ts';

/** What a cell's handshakes are configured by; cells that differ in payload or resumption share it. */
export type Configuration = Pick<HandshakeCell, 'version' | 'cipher' | 'key' | 'group' | 'guess'>;

/** Throws the library's error for what it does not know. */
export function serverContext(configuration: Configuration, identity: Identity): SecureContext {
  const { group } = configuration;
  return createSecureContext({
    ...optionsOf(configuration),
    ...identity,
    ...(group !== null && group in ffdheParameters ? { dhparam: ffdheParameters[group] } : {}),
  });
}

/** It trusts nobody, and nobody is checked: the server's signature is verified, its certificate is not, as in 1997. */
export function clientContext(configuration: Configuration): SecureContext {
  const { group, guess } = configuration;
  return createSecureContext({
    ...optionsOf(configuration),
    // It sends a share for the first of the list, and has the other to fall back on.
    ...(guess === undefined ? {} : { ecdhCurve: `${guess}:${group}` }),
    ca: [],
  });
}

function optionsOf({ version, cipher, key, group }: Configuration): SecureContextOptions {
  return {
    minVersion: version,
    maxVersion: version,
    ciphers: ciphersOf({ version, cipher, key }),
    ...(group === null || isOfTheServer(version, group) ? {} : { ecdhCurve: groupsOf(version, group, key) }),
  };
}

/** The one suite. What is weak needs the library's lowest level; a level is no list, so a suite of TLS 1.3 gets one beside it. */
function ciphersOf({ version, cipher, key }: Omit<Configuration, 'group'>): string {
  const isWeak =
    legacyVersions.includes(version) ||
    legacyKeys.includes(key) ||
    // Without encryption, or with tags of 64 bits.
    /NULL|^TLS_SHA|CCM_?8/.test(cipher) ||
    describeSuite(cipher).broken;
  if (!isWeak) return cipher;
  return version === 'TLSv1.3' ? `${cipher}:DEFAULT@SECLEVEL=0` : `${cipher}:@SECLEVEL=0`;
}

/** Up to TLS 1.2 a finite field is in the server's parameters, not in a list that both have. */
function isOfTheServer(version: string, group: string): boolean {
  return version !== 'TLSv1.3' && group in ffdheParameters;
}

/** Up to TLS 1.2 the curve of an ECDSA key has to be in the list as well; the first is the one that is agreed in. */
function groupsOf(version: string, group: string, key: string): string {
  const needsCurve = version !== 'TLSv1.3' && key.startsWith('P-') && key !== group;
  return needsCurve ? `${group}:${key}` : group;
}
