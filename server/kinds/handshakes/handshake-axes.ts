import {
  describeSuite,
  type GroupName,
  groupNames,
  type KeyName,
  keyNames,
  legacyKeys,
  legacyVersions,
  type Suite,
  suiteNames,
  type TlsVersion,
  tlsVersions,
} from '../../../shared/base/cipher-suites.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { GridAxes, HandshakeCell } from '../../../shared/kinds/handshakes/handshakes.ts';
import { resumptions } from '../../../shared/kinds/handshakes/options.ts';
import { type KnownAs, knownName } from '../../base/text/known-name.ts';

/** `undefined` is an axis that was left out. */
type Asked = {
  version: TlsVersion | undefined;
  cipher: string | undefined;
  key: KeyName | undefined;
  group: GroupName | undefined;
  guess: GroupName | undefined;
};

type Tried = { asked: Asked; combination: Combination; problem: string | null };

const mostCells = 1500;

/**
 * The cells of the product of the axes, less the combinations that no protocol allows. Every value that was named is in
 * at least one cell, else `lab_impossible` says why it could not be.
 */
export function expandAxes(axes: GridAxes, legacy: boolean): HandshakeCell[] {
  const tried = readAxes(axes).map((asked): Tried => {
    const combination = completed(asked);
    return {
      asked,
      combination,
      problem: combinationProblem(combination) ?? (legacy ? null : problemWithoutLegacy(combination)),
    };
  });
  demandEachValue(tried);
  const possible = distinct(
    tried.flatMap(({ combination, problem: wrong }) => (wrong === null ? [combination] : [])),
  );
  const bytes = [...new Set(axes.bytes ?? [1])];
  const sessions = [...new Set(axes.resumption ?? resumptions)];
  const withCertificates = possible.flatMap((combination) =>
    certificatesOf(axes, combination).map((certificates) => ({ ...combination, ...certificates })),
  );
  demandCompressed(axes, withCertificates);
  demandFewEnough(withCertificates.length * bytes.length * sessions.length);
  return withCertificates.flatMap((combination) =>
    bytes.flatMap((each) =>
      sessions.map((resumption) => cellOf({ ...combination, bytes: each, resumption })),
    ),
  );
}

/** Chains in every compression, which came with TLS 1.3 (RFC 8879, section 3). */
function certificatesOf(
  { chains = [0], compression = ['none'] }: GridAxes,
  { version }: Combination,
): Pick<HandshakeCell, 'chain' | 'compression'>[] {
  const codecs = compression.filter((codec) => codec === 'none' || version === 'TLSv1.3');
  return chains.flatMap((chain) =>
    codecs.map((codec) => ({
      ...(chain === 0 ? {} : { chain }),
      ...(codec === 'none' ? {} : { compression: codec }),
    })),
  );
}

function demandCompressed(
  { compression = [] }: GridAxes,
  cells: readonly Pick<HandshakeCell, 'compression'>[],
): void {
  if (compression.every((codec) => codec === 'none') || cells.some((cell) => cell.compression)) return;
  const wrong = 'Certificate compression needs TLSv1.3.';
  throw problem('lab_impossible', {
    detail: wrong,
    errors: [{ field: 'grid.compression', message: wrong }],
  });
}

/** Throws when the cells are more than can be measured at once. */
export function demandFewEnough(cells: number): void {
  if (cells <= mostCells) return;
  const count = cells.toLocaleString('en');
  throw problem('lab_impossible', `The grid has ${count} combinations. The maximum is ${mostCells}.`);
}

function demandEachValue(tried: readonly Tried[]): void {
  for (const axis of ['version', 'cipher', 'key', 'group', 'guess'] as const) {
    const used = new Set(
      tried.flatMap(({ combination, problem: wrong }) => (wrong === null ? [combination[axis]] : [])),
    );
    const lost = tried.find(({ asked }) => asked[axis] !== undefined && !used.has(asked[axis]));
    if (lost === undefined) continue;
    const wrong = lost.problem ?? combinationProblem({ ...lost.combination, [axis]: lost.asked[axis] });
    throw impossible(axis, wrong ?? `No combination uses ${lost.asked[axis]}.`);
  }
}

/** A suite that agrees no key in a group is one combination, whatever groups there are for the others. */
function distinct(combinations: readonly Combination[]): Combination[] {
  const byName = new Map(combinations.map((each) => [Object.values(each).join('/'), each]));
  return [...byName.values()];
}

export function cellOf(
  cell: Combination & Pick<HandshakeCell, 'bytes' | 'resumption' | 'chain' | 'compression'>,
): HandshakeCell {
  const { version, cipher, key, group, guess, bytes, resumption, chain, compression } = cell;
  const certificates = [key, chain, compression].filter((part) => part !== undefined).join('+');
  const agreeing = guess === undefined ? (group ?? 'none') : `${guess}~${group}`;
  return {
    id: [version, cipher, certificates, agreeing, bytes, resumption].join('/'),
    ...{ version, cipher, key, group, bytes, resumption },
    ...(chain === undefined ? {} : { chain }),
    ...(compression === undefined ? {} : { compression }),
    ...(guess === undefined ? {} : { guess }),
  };
}

function readAxes({ versions, ciphers, keys, groups, guesses }: GridAxes): Asked[] {
  const known = {
    version: namesOf(versions, tlsVersions, { what: 'protocol version', field: 'grid.versions' }),
    cipher: namesOf(ciphers, suiteNames, {
      ...{ what: 'cipher suite', field: 'grid.ciphers' },
      preferred: isModernSuite,
    }),
    key: namesOf(keys, keyNames, { what: 'key', field: 'grid.keys' }),
    group: namesOf(groups, groupNames, { what: 'group', field: 'grid.groups' }),
    guess: namesOf(guesses, groupNames, { what: 'group', field: 'grid.guesses' }),
  };
  return known.version.flatMap((version) =>
    known.cipher.flatMap((cipher) =>
      known.key.flatMap((key) =>
        known.group.flatMap((group) => known.guess.map((guess) => ({ version, cipher, key, group, guess }))),
      ),
    ),
  );
}

/** With keys of its own for each connection, and a cipher that authenticates what it encrypts. */
function isModernSuite(name: string): boolean {
  return /^TLS_(AES|CHACHA20).*(GCM|POLY1305)|^ECDHE-(ECDSA|RSA)-(AES|CHACHA20).*(GCM|POLY1305)/.test(name);
}

function namesOf<Name extends string>(
  asked: readonly string[] | undefined,
  names: readonly Name[],
  about: KnownAs,
): (Name | undefined)[] {
  return asked === undefined ? [undefined] : [...new Set(asked.map((each) => knownName(each, names, about)))];
}

/** Completes a combination with values that fit the rest: the newest version, the usual suite, key and group. */
function completed(combination: Asked): Combination {
  const { version: asked, cipher: suite, key: keyAsked, group: groupAsked, guess } = combination;
  const version = asked ?? (suite === undefined ? 'TLSv1.3' : newestOf(suite));
  const isRsa = keyAsked?.startsWith('RSA') ?? false;
  const cipher = suite ?? usualSuite(version, isRsa ? 'RSA' : 'ECDSA');
  const { authentication, exchange } = describeSuite(cipher);
  const usualGroup = exchange === 'DHE' ? 'ffdhe2048' : 'X25519';
  return {
    version,
    cipher,
    key: keyAsked ?? (authentication === 'RSA' ? 'RSA-2048' : 'P-256'),
    group: exchange === 'RSA' ? null : (groupAsked ?? usualGroup),
    guess,
  };
}

function newestOf(suite: string): TlsVersion {
  return describeSuite(suite).versions[0] ?? 'TLSv1.3';
}

function usualSuite(version: TlsVersion, authentication: 'RSA' | 'ECDSA'): string {
  if (version === 'TLSv1.3') return 'TLS_AES_128_GCM_SHA256';
  return `ECDHE-${authentication}-AES128-${version === 'TLSv1.2' ? 'GCM-SHA256' : 'SHA'}`;
}

const fields = {
  version: 'versions',
  cipher: 'ciphers',
  key: 'keys',
  group: 'groups',
  guess: 'guesses',
} as const;

function impossible(axis: keyof Asked, wrong: string): Error {
  return problem('lab_impossible', {
    detail: wrong,
    errors: [{ field: `grid.${fields[axis]}`, message: wrong }],
  });
}

type Combination = {
  version: TlsVersion;
  cipher: string;
  key: KeyName;
  group: GroupName | null;
  /** The group that the client tries first, when the server does not want it. */
  guess?: GroupName | undefined;
};

/**
 * Says why no implementation could negotiate a combination; null if the library may be asked for it. The library decides on
 * merely unusual ones, and its rejection is then a result. Sources: RFC 8446 sections 4.2.7 and 9.2, RFC 5246
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

/** Says why a combination is too weak to be measured without the legacy option. */
function problemWithoutLegacy({ version, cipher, key }: Combination): string | null {
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
const problemFields: readonly GroupName[] = ['ffdhe2048', 'ffdhe3072'];

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
  if (exchange === 'DHE' && !problemFields.includes(group)) {
    return `${name} needs a finite-field group (${problemFields.join(', ')}), not ${group}.`;
  }
  return null;
}
