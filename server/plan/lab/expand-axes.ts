import type { LabAxes, LabCell } from '../../../shared/lab.ts';
import {
  type GroupName,
  groupNames,
  type KeyName,
  keyNames,
  type TlsVersion,
  tlsVersions,
} from '../../../shared/lab-names.ts';
import { problem } from '../../../shared/problem.ts';
import { type Combination, combinationFault, legacyFault } from './combination-fault.ts';
import { knownName } from './known-name.ts';
import { describeSuite, suiteNames } from './suites.ts';

/** `undefined` is an axis that was left out. */
type Asked = {
  version: TlsVersion | undefined;
  cipher: string | undefined;
  key: KeyName | undefined;
  group: GroupName | undefined;
};

/**
 * The cells of the product of the axes, less the combinations that no protocol allows. Every value that was named is in
 * at least one cell, else `lab_impossible` says why it could not be.
 */
export function expandAxes(axes: LabAxes, legacy: boolean): LabCell[] {
  const asked = readAxes(axes);
  const tried = asked.map((each) => {
    const combination = completed(each);
    const fault = combinationFault(combination) ?? (legacy ? null : legacyFault(combination));
    return { asked: each, combination, fault };
  });
  const possible = tried.filter(({ fault }) => fault === null);
  for (const { asked: each, fault } of tried) {
    const lost = (Object.keys(each) as (keyof Asked)[]).find(
      (axis) => each[axis] !== undefined && !possible.some((other) => other.asked[axis] === each[axis]),
    );
    if (lost !== undefined && fault !== null) throw impossible(lost, fault);
  }
  return possible.flatMap(({ combination }) =>
    (axes.bytes ?? [1]).flatMap((bytes) =>
      (axes.resumption ?? ['full', 'resumed']).map((resumption) =>
        cellOf({ ...combination, bytes, resumption }),
      ),
    ),
  );
}

export function cellOf(cell: Combination & Pick<LabCell, 'bytes' | 'resumption'>): LabCell {
  const { version, cipher, key, group, bytes, resumption } = cell;
  return { id: [version, cipher, key, group ?? 'none', bytes, resumption].join('/'), ...cell };
}

function readAxes({ versions, ciphers, keys, groups }: LabAxes): Asked[] {
  const known = {
    version: namesOf(versions, tlsVersions, { what: 'protocol version', field: 'grid.versions' }),
    cipher: namesOf(ciphers, suiteNames, { what: 'cipher suite', field: 'grid.ciphers' }),
    key: namesOf(keys, keyNames, { what: 'key', field: 'grid.keys' }),
    group: namesOf(groups, groupNames, { what: 'group', field: 'grid.groups' }),
  };
  return known.version.flatMap((version) =>
    known.cipher.flatMap((cipher) =>
      known.key.flatMap((key) => known.group.map((group) => ({ version, cipher, key, group }))),
    ),
  );
}

function namesOf<Name extends string>(
  asked: readonly string[] | undefined,
  names: readonly Name[],
  about: { what: string; field: string },
): (Name | undefined)[] {
  return asked === undefined ? [undefined] : [...new Set(asked.map((each) => knownName(each, names, about)))];
}

/** What was left out takes what fits the rest: the newest version, the usual suite, key and group. */
function completed({ version: asked, cipher: suite, key: keyAsked, group: groupAsked }: Asked): Combination {
  const version = asked ?? (suite === undefined ? 'TLSv1.3' : newestOf(suite));
  const isRsa = keyAsked?.startsWith('RSA') ?? false;
  const cipher = suite ?? usualSuite(version, isRsa ? 'RSA' : 'ECDSA');
  const { authentication, exchange } = describeSuite(cipher);
  return {
    version,
    cipher,
    key: keyAsked ?? (authentication === 'RSA' ? 'RSA-2048' : 'P-256'),
    group:
      groupAsked ??
      ({ any: 'X25519', ECDHE: 'X25519', DHE: 'ffdhe2048', RSA: null }[exchange] as GroupName | null),
  };
}

function newestOf(suite: string): TlsVersion {
  return describeSuite(suite).versions[0] ?? 'TLSv1.3';
}

function usualSuite(version: TlsVersion, authentication: 'RSA' | 'ECDSA'): string {
  if (version === 'TLSv1.3') return 'TLS_AES_128_GCM_SHA256';
  return `ECDHE-${authentication}-AES128-${version === 'TLSv1.2' ? 'GCM-SHA256' : 'SHA'}`;
}

const fields = { version: 'versions', cipher: 'ciphers', key: 'keys', group: 'groups' } as const;

function impossible(axis: keyof Asked, fault: string): Error {
  return problem('lab_impossible', {
    detail: fault,
    errors: [{ field: `grid.${fields[axis]}`, message: fault }],
  });
}
