import { holdsPrivateKey } from '../../../shared/base/pem.ts';
import type { Exchange, Secret } from '../../../shared/scenario/import.ts';
import { attributesOf, isBrowserHeader, receivedValues, tagsOf } from './received-values.ts';
import { type SentValue, sentValues } from './sent-values.ts';
import { asVariableName, isSecretName, openNames, placeholderOf, placeholders } from './spellings.ts';
import { jsonLeaves, loosePairs, xmlLeaves } from './xml-leaves.ts';

/**
 * Values that stand under a secret name or that of a password field anywhere, credentials in headers, cookies, and what
 * has the form of a credential; the same value twice is one secret.
 */
export function findSecrets(
  exchanges: readonly Exchange[],
  wishes: SecretWishes = {},
): Secrets & {
  isSecret(name: string): boolean;
  /** Names of fields and headers, sent and received. */
  names: ReadonlySet<string>;
} {
  const found = openSecrets(wishes);
  const fields = new Set(exchanges.flatMap(passwordFields));
  const names = new Set<string>();
  const isNamed = remembered(isSecretName);
  const isSecret = (name: string) => isNamed(name) || fields.has(name);
  for (const exchange of exchanges) {
    const where = `${wishes.unit ?? 'entry'} ${exchange.number}`;
    for (const sent of sentValues(exchange)) {
      names.add(sent.name);
      if (sent.place === 'header' && sent.name === 'cookie') addCookies(sent.value, where, found);
      else
        for (const { name, value, why } of secretsIn(sent, isSecret))
          found.add(name, value, `${why} of ${where}`);
    }
    for (const [name, value] of exchange.responseHeaders) {
      if (/^set-cookie2?$/i.test(name)) {
        // Chrome joins several of them with line ends.
        for (const line of value.split('\n')) addCookies(line.split(';', 1)[0] ?? '', where, found);
      }
    }
    for (const { name, value } of receivedValues(exchange)) {
      names.add(name);
      if (isNamed(name)) found.add(name, value, `${name} in the response of ${where}`);
    }
    for (const tag of tagsOf(exchange.responseBody ?? '', 'input')) {
      const { type, name, value, id } = attributesOf(tag);
      for (const each of [type, name, id]) if (each !== undefined) names.add(each);
      if (value && (type?.toLowerCase() === 'password' || isNamed(name ?? '')))
        found.add(name ?? 'password', value, `${name ?? 'password'} in the page of ${where}`);
    }
  }
  return { ...found, isSecret, names };
}

/** A recording has the same few names in thousands of places. */
function remembered(judge: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const judged = judge(name);
    known.set(name, judged);
    return judged;
  };
}

/** Secrets in a value that was sent: all of it, or a part with its own name. */
export function secretsIn(
  { place, name, value, isCredential }: SentValue,
  isSecret: (name: string) => boolean = isSecretName,
): { name: string; value: string; why: string }[] {
  const last = lastPart(name);
  const why = `the ${places[place]} ${last}`;
  if (place === 'path') {
    return isKnownToken(value) ? [{ name: 'token', value, why: 'a segment of the path' }] : [];
  }
  if (isSecret(last) || isCredential) return [{ name: last, value, why }];
  if (isSecretValue(value, last) && !(place === 'header' && isBrowserHeader(name))) {
    return [{ name: last, value, why: `a value that looks random, ${why}` }];
  }
  return nestedValues(value).flatMap((inner) => {
    const innerName = lastPart(inner.name);
    return isSecret(innerName)
      ? [{ name: innerName, value: inner.value, why: `${innerName} inside ${why}` }]
      : [];
  });
}

/** The names under which the forms of a page send what is typed into their password fields. */
function passwordFields({ responseBody }: Exchange): string[] {
  return tagsOf(responseBody ?? '', 'input').flatMap((tag) => {
    const { type, name } = attributesOf(tag);
    return name && type?.toLowerCase() === 'password' ? [name] : [];
  });
}

const places: Record<SentValue['place'], string> = {
  query: 'query field',
  form: 'form field',
  json: 'JSON field',
  header: 'header',
  path: 'segment',
  xml: 'XML element',
  text: 'text behind',
};

function addCookies(text: string, where: string, found: Secrets): void {
  for (const pair of text.split(';')) {
    const at = pair.indexOf('=');
    if (at <= 0) continue;
    const name = pair.slice(0, at).trim();
    const value = pair
      .slice(at + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1');
    found.add(`cookie_${name}`, value, `the cookie ${name} of ${where}`);
  }
}

/** `$.user.password` is about a password. */
export function lastPart(name: string): string {
  return (
    name
      .replace(placeholders, '')
      .split(/[.[\]'$]+/)
      .findLast((part) => part !== '') ?? name
  );
}

/** Named values inside of one value: JSON in a field of a form, a query in an address, GraphQL in JSON, XML in a part. */
function nestedValues(value: string): { name: string; value: string }[] {
  if (value.length < shortest || !/[=:<]/.test(value)) return [];
  const leaves = /^\s*[{[]/.test(value) ? jsonLeaves(value) : null;
  if (leaves !== null) return leaves.map(({ path, value: leaf }) => ({ name: path, value: leaf }));
  if (/^\s*</.test(value)) return xmlLeaves(value).map(({ name, raw }) => ({ name, value: raw }));
  return loosePairs(value);
}

/** `pw=x` is the shortest. */
const shortest = 4;

/**
 * Whether a value is a credential whatever it is called: it has the form of one (a token of a known service, a key, the
 * number of a card or an account), or it is long and random. What has a telling name besides is left to `isSecretName`.
 *
 * @param name of the field: what is called a hash, an ID or a cursor may well be random
 */
export function isSecretValue(value: string, name: string): boolean {
  if (isKnownToken(value)) return true;
  if (value.length > longest) return false;
  return isCardNumber(value) || isIban(value) || (isRandom(value) && !isNameMade(name));
}

/** A token of a known service, or a private key. It is a secret even in a path, where other random values are mostly IDs. */
function isKnownToken(value: string): boolean {
  return knownTokens.test(value) || holdsPrivateKey(value);
}

/** A longer text is a document. */
const longest = 4096;

/** JSON Web Tokens, and prefixes that services have given their keys so that they are found. */
const knownTokens =
  /^eyJ[\w-]{5,}\.[\w-]{2,}\.[\w-]*$|^[spr]k_(live|test)_\w{10,}$|^gh[pousr]_\w{20,}$|^github_pat_\w{20,}$|^glpat-[\w-]{15,}$|^xox[abeoprs]-[\w-]{10,}$|^(AKIA|ASIA)[0-9A-Z]{16}$|^AIza[\w-]{30,}$|^ya29\.[\w-]{20,}$|^sk-[\w-]{20,}$|^npm_\w{30,}$|^hf_\w{30,}$|^dop_v1_\w{30,}$|^SG\.[\w-]{15,}\.[\w-]{15,}$/;

/** Luhn's sum over 13 to 19 digits that begin as those of card companies. A time in milliseconds begins with 1. */
function isCardNumber(value: string): boolean {
  if (!/^[3-6]\d{3}([ -]?\d){9,15}$/.test(value)) return false;
  const digits = value.replace(/\D/g, '');
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** ISO 13616: the rest of dividing by 97 is 1. */
function isIban(value: string): boolean {
  const plain = value.replaceAll(' ', '');
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain)) return false;
  const moved = plain.slice(4) + plain.slice(0, 4);
  const digits = [...moved].map((character) => Number.parseInt(character, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

/** Names of what is random and public, as the last word or on its own. */
const namesMade =
  /(^|[\W_]|[a-z](?=[A-Z]))(ids?|uuid|guid|hash|sha\d*|md5|digest|checksum|etag|integrity|revision|commit|version|cursor|after|before|boundary|fingerprint|nonce)$|hash$|^(if-(none-)?match|idempotency-key|user-agent|referer|origin|accept.*|content-.*|sentry-trace|baggage|x-b3-.*|x-amz(n|-content).*)$/i;

/** Also accepts a last word that names a trace or a file, such as `fileHash2`. */
function isNameMade(name: string): boolean {
  return namesMade.test(name) || /trace|file/i.test(name.split(/\W/).at(-1) ?? '');
}

const leastLength = 20;
/** A piece that is shorter is a word, a number or a date. */
const leastPiece = 16;

function isRandom(value: string): boolean {
  if (value.length < leastLength || !/^[\w+/=.~-]+$/.test(value) || uuid.test(value)) return false;
  const pieces = value.split(/[.~_/-]|=+/).sort((a, b) => b.length - a.length);
  return isRandomPiece(pieces[0] ?? '');
}

const uuid = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i;

/** Letters and digits that change places often, make no words, and hardly repeat themselves. */
function isRandomPiece(piece: string): boolean {
  if (piece.length < leastPiece || !/\d/.test(piece) || !/[a-z]/i.test(piece)) return false;
  if (/^[\da-f]+$/i.test(piece)) return piece.length >= 32 && entropyOf(piece) > 3;
  if (piece.replace(/[A-Z]?[a-z]{3,}/g, '').length < piece.length / 2) return false;
  const kinds = [...piece].map((character) => (/\d/.test(character) ? 0 : /[a-z]/.test(character) ? 1 : 2));
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  return changes / piece.length > 0.3 && entropyOf(piece) > 3.4;
}

/** Shannon's, in bits a character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => {
    const share = count / text.length;
    return sum - share * Math.log2(share);
  }, 0);
}

/** Each secret value and its placeholder, and the list of them without the values. */
type FoundSecrets = {
  placeholders: Map<string, string>;
  /** Values that are replaced where they were found only: a cookie `theme=dark` makes no secret of every "dark". */
  onlyInPlace: Set<string>;
  secrets: Secret[];
};

export type Secrets = FoundSecrets & {
  /** Returns the placeholder, or the value itself where it stays. */
  add(name: string, value: string, why: string): string;
};

export type SecretWishes = {
  /** Names of secrets that are replaced already. */
  taken?: readonly string[] | undefined;
  /** Names of secrets that the user has said are none: their values stay. */
  declined?: readonly string[] | undefined;
  /** Unit that the number of an exchange counts in the source. */
  unit?: 'entry' | 'line' | 'step';
};

export function openSecrets({ taken = [], declined = [] }: SecretWishes = {}): Secrets {
  const placeholders = new Map<string, string>();
  const onlyInPlace = new Set<string>();
  const secrets: Secret[] = [];
  const stays = new Set<string>();
  const uniqueName = openNames(taken);
  return {
    placeholders,
    onlyInPlace,
    secrets,
    add(name, value, why) {
      const known = placeholders.get(value);
      if (known === undefined && (value === '' || stays.has(value) || innocent.test(value))) return value;
      if (!name.startsWith('cookie_') || looksRandom.test(value)) onlyInPlace.delete(value);
      else if (known === undefined) onlyInPlace.add(value);
      if (known !== undefined) return known;
      const secret = uniqueName(asVariableName(name));
      if (declined.includes(secret)) {
        stays.add(value);
        secrets.push({ name: secret, why, declined: true });
        return value;
      }
      placeholders.set(value, placeholderOf(secret));
      secrets.push({ name: secret, why, declined: false });
      return placeholderOf(secret);
    },
  };
}

/** A value that a server makes up for one visitor, not a setting such as a language or a color. */
const looksRandom = /^(?=.*\d).{8,}$/s;

/** With a placeholder or a variable in it, or a word that says that there is nothing. */
const innocent = /(?<!\$)\$\{(secret:)?[A-Za-z_]\w*\}|^(true|false|null|undefined|none|deleted)$/i;
