import type { Secret } from '../../shared/import.ts';
import type { Exchange } from '../../shared/recording.ts';
import { attributesOf, receivedValues, tagsOf } from './received-values.ts';
import { asVariableName, isSecretName, openNames, placeholderOf } from './secret-names.ts';
import { sentValues } from './sent-values.ts';

/** Each secret value and its placeholder, and the list of them without the values. */
export type FoundSecrets = {
  placeholders: Map<string, string>;
  /** Values that are replaced where they were found only: a cookie `theme=dark` makes no secret of every "dark". */
  onlyInPlace: Set<string>;
  secrets: Secret[];
};

/**
 * Values that stand under a secret name or that of a password field anywhere, and cookies; the same value twice is one secret.
 *
 * @param taken names of secrets that are replaced already
 */
export function findSecrets(
  exchanges: readonly Exchange[],
  taken: readonly string[] = [],
): FoundSecrets & { isSecret(name: string): boolean } {
  const found = openSecrets(taken);
  const fields = new Set(exchanges.flatMap(passwordFields));
  const isSecret = (name: string) => isSecretName(name) || fields.has(name);
  for (const exchange of exchanges) {
    const where = `entry ${exchange.number}`;
    for (const { place, name, value } of sentValues(exchange)) {
      if (place === 'header' && name === 'cookie') addCookies(value, where, found);
      else if (place !== 'path' && isSecret(lastPart(name))) {
        found.add(lastPart(name), value, `${describe[place]} ${lastPart(name)} of ${where}`);
      }
    }
    for (const [name, value] of exchange.responseHeaders) {
      if (/^set-cookie2?$/i.test(name)) {
        // Chrome joins several of them with line ends.
        for (const line of value.split('\n')) addCookies(line.split(';', 1)[0] ?? '', where, found);
      }
    }
    for (const { name, value } of receivedValues(exchange)) {
      if (isSecretName(name)) found.add(name, value, `${name} in the response of ${where}`);
    }
    for (const tag of tagsOf(exchange.responseBody ?? '', 'input')) {
      const { type, name, value } = attributesOf(tag);
      if (value && (type?.toLowerCase() === 'password' || isSecretName(name ?? '')))
        found.add(name ?? 'password', value, `${name ?? 'password'} in the page of ${where}`);
    }
  }
  return { ...found, isSecret };
}

/** The names under which the forms of a page send what is typed into their password fields. */
function passwordFields({ responseBody }: Exchange): string[] {
  return tagsOf(responseBody ?? '', 'input').flatMap((tag) => {
    const { type, name } = attributesOf(tag);
    return name && type?.toLowerCase() === 'password' ? [name] : [];
  });
}

export function openSecrets(
  taken: readonly string[] = [],
): FoundSecrets & { add(name: string, value: string, why: string): string } {
  const placeholders = new Map<string, string>();
  const onlyInPlace = new Set<string>();
  const secrets: Secret[] = [];
  const uniqueName = openNames(taken);
  return {
    placeholders,
    onlyInPlace,
    secrets,
    /** Returns the placeholder. */
    add(name, value, why) {
      const known = placeholders.get(value);
      if (!name.startsWith('cookie_') || looksRandom.test(value)) onlyInPlace.delete(value);
      else if (known === undefined) onlyInPlace.add(value);
      if (known !== undefined) return known;
      if (value === '' || innocent.test(value)) return value;
      const secret = uniqueName(asVariableName(name));
      placeholders.set(value, placeholderOf(secret));
      secrets.push({ name: secret, why });
      return placeholderOf(secret);
    },
  };
}

/** What a server makes up for one visitor, not a setting such as a language or a colour. */
const looksRandom = /^(?=.*\d).{8,}$/s;

/** Already a placeholder, or a word that says that there is nothing. */
const innocent = /^\$\{secret:\w+\}$|^(true|false|null|undefined|none|deleted)$/i;

const describe = {
  query: 'the query field',
  form: 'the form field',
  json: 'the JSON field',
  header: 'the header',
  path: 'the segment',
};

function addCookies(text: string, where: string, found: ReturnType<typeof openSecrets>): void {
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
function lastPart(name: string): string {
  return /([^.[\]'$]+)['\]]*$/.exec(name)?.[1] ?? name;
}
