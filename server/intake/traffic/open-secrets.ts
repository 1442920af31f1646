import type { Secret } from '../../../shared/scenario/import.ts';
import { asVariableName, openNames, placeholderOf } from './secret-names.ts';

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
  /** What the number of an exchange counts in the source. */
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

/** What a server makes up for one visitor, not a setting such as a language or a colour. */
const looksRandom = /^(?=.*\d).{8,}$/s;

/** With a placeholder or a variable in it, or a word that says that there is nothing. */
const innocent = /(?<!\$)\$\{(secret:)?[A-Za-z_]\w*\}|^(true|false|null|undefined|none|deleted)$/i;
