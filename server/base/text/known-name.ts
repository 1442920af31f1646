import { problemAt } from '../../../shared/base/problem.ts';

export type KnownAs<Name extends string = string> = {
  what: string;
  field: string;
  /** Names worth a suggestion; the nearest of them comes first. */
  preferred?: (name: Name) => boolean;
};

/** The name that is meant, however it is written; throws `lab_impossible`, with the nearest ones, when there is none. */
export function knownName<Name extends string>(
  asked: string,
  names: readonly Name[],
  { what, field, preferred }: KnownAs<Name>,
): Name {
  const found = sameName(asked, names);
  if (found !== undefined) return found;
  const [first] = preferred === undefined ? [] : nearestNames(asked, names.filter(preferred));
  const nearest = nearestNames(asked, names).filter((name) => name !== first);
  const offered = first === undefined ? nearest : [first, ...nearest.slice(0, 2)];
  const fact = `There is no ${what} "${asked}". Nearest: ${offered.join(', ')}.`;
  throw problemAt('lab_impossible', field, fact);
}

/** However it is written. */
export function sameName<Name extends string>(asked: string, names: readonly Name[]): Name | undefined {
  const plain = plainOf(asked);
  return names.find((name) => plainOf(name) === plain);
}

/** Up to three, nearest first. */
export function nearestNames<Name extends string>(asked: string, names: readonly Name[]): Name[] {
  const plain = plainOf(asked);
  // Nobody mistypes a name of a page: comparing takes its length times theirs.
  if (plain.length > 100) return [];
  return names
    .map((name) => ({ name, distance: distanceOf(plain, plainOf(name)) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

const otherNames = new Map([
  ['secp256r1', 'p256'],
  ['prime256v1', 'p256'],
  ['ecdsap256', 'p256'],
  ['secp384r1', 'p384'],
  ['ecdsap384', 'p384'],
  ['secp521r1', 'p521'],
  ['tls13', 'tlsv13'],
  ['tls12', 'tlsv12'],
  ['tls11', 'tlsv11'],
  ['tls10', 'tlsv1'],
  ['tlsv10', 'tlsv1'],
]);

/** Without case and punctuation; IANA's names of suites as OpenSSL shortens them. */
function plainOf(name: string): string {
  const plain = /_WITH_/i.test(name) ? shortened(name) : name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return otherNames.get(plain) ?? plain;
}

function shortened(name: string): string {
  return name
    .toLowerCase()
    .replace(/^tls_(rsa_with_)?|with_/g, '')
    .replace(/poly1305_sha256$/, 'poly1305')
    .replace(/_cbc_/, '_')
    .replace(/[^a-z0-9]/g, '');
}

/** A name that was only cut short is nearer than any other. */
function distanceOf(asked: string, name: string): number {
  return name.startsWith(asked) ? 0 : editDistance(asked, name);
}

/** Levenshtein's: the insertions, deletions and replacements that lead from one to the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (row[column] as number) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] as number) + 1, (next[column] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
