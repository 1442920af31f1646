import type { Exchange } from '../../../shared/scenario/recording.ts';
import { isSecretName, placeholders } from './is-secret-name.ts';
import { isKnownToken, isSecretValue } from './is-secret-value.ts';
import { jsonLeaves } from './json-leaves.ts';
import { loosePairs } from './loose-pairs.ts';
import { openSecrets, type Secrets, type SecretWishes } from './open-secrets.ts';
import { attributesOf, receivedValues, tagsOf } from './received-values.ts';
import { type SentValue, sentValues } from './sent-values.ts';
import { isBrowserHeader } from './step-headers.ts';
import { xmlLeaves } from './xml-leaves.ts';

/**
 * Values that stand under a secret name or that of a password field anywhere, credentials in headers, cookies, and what
 * has the form of a credential; the same value twice is one secret.
 */
export function findSecrets(
  exchanges: readonly Exchange[],
  wishes: SecretWishes = {},
): Secrets & {
  isSecret(name: string): boolean;
  /** Of fields and headers, sent and received. */
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

/** What of a value that was sent is a secret: all of it, or a part that has a name of its own. */
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
