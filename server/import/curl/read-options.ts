import { nearestNames } from '../../text/known-name.ts';
import type { DraftRequest } from '../draft-request.ts';
import {
  curlOptions,
  type FoundOption,
  knownVersion,
  optionNamed,
  optionOfLetter,
} from './options/curl-options.ts';
import { type CurlSettings, emptySettings } from './settings.ts';
import type { Word } from './shell/shell-command.ts';

/** Hears, in sentences, why a command cannot be imported. A hint takes time to find, so it can be left out. */
type Refuse = (reason: string | ((hints: boolean) => string)) => void;

export type Hearer = {
  refuse: Refuse;
  /** Hears, in sentences, about differences that do not affect the import. */
  note: (reason: string) => unknown;
  /** Hears how many requests an address expands to before they are made, and may throw. */
  announce: (count: number) => void;
  /** Hears of each request, and may throw. */
  take: (request: DraftRequest) => void;
};

/**
 * The settings in the words after `curl`: one for each part between --next. The value of an option is never taken for an
 * address.
 */
export function readOptions(
  words: readonly Word[],
  stdin: Word | null,
  { refuse }: Pick<Hearer, 'refuse'>,
): CurlSettings[] {
  let settings = emptySettings(stdin);
  const all = [settings];
  const rest = words.values();
  let endsOptions = false;
  for (const word of rest) {
    if (word.loose) refuse(`A word ${because(word)}`);
    else if (endsOptions || !word.text.startsWith('-')) addAddress(word);
    else if (word.text === '--') endsOptions = true;
    else if (word.text.startsWith('--')) readLong(word);
    else readShort(word);
  }
  return all;

  function addAddress(word: Word): void {
    if (word.faults.length > 0) refuse(`The address ${because(word)}`);
    else settings.addresses.push(word.text);
  }

  function readLong(word: Word): void {
    const found = optionNamed(word.text.slice(2));
    if (found === null || word.faults.length > 0) refuse((hints) => unknown(word.text, hints));
    else apply(word.text, found, null);
  }

  /** `-sSL` is three options, and `-XPOST` one with its value. */
  function readShort(word: Word): void {
    const { text } = word;
    for (let at = 1; at < Math.max(2, text.length); at++) {
      const name = `-${text[at] ?? ''}`;
      const found = optionOfLetter(text[at] ?? '');
      if (found === null) {
        refuse((hints) => unknown(name, hints));
        return;
      }
      const attached = found.option.takesValue && at + 1 < text.length + word.faults.length;
      apply(name, found, attached ? { ...word, text: text.slice(at + 1) } : null);
      if (attached) return;
    }
    // A word of switches only must be known entirely.
    if (word.faults.length > 0) refuse(`A word ${because(word)}`);
  }

  function apply(name: string, { option, on }: FoundOption, attached: Word | null): void {
    const { meaning, takesValue } = option;
    if (meaning.kind === 'refused') refuse(`${name} ${meaning.reason}`);
    const value = takesValue ? (attached ?? rest.next().value) : undefined;
    if (takesValue && value === undefined && meaning.kind !== 'refused') refuse(`${name} has no value.`);
    if (value?.loose) refuse(`The value of ${name} ${because(value)}`);
    else if (meaning.kind !== 'done' || (takesValue && value === undefined)) return;
    else if (option.name === 'next') begin();
    else if (value !== undefined && value.faults.length > 0) refuse(`The value of ${name} ${because(value)}`);
    else {
      const refuseUse = (reason: string) => refuse(`${name} ${reason}`);
      meaning.apply(settings, { value: value?.text ?? '', on, name, refuse: refuseUse });
    }
  }

  function begin(): void {
    if (settings.addresses.length === 0) refuse('There is no address before --next.');
    settings = emptySettings(settings.stdin);
    all.push(settings);
  }
}

/** The rest of a sentence. */
function because({ faults }: Word): string {
  return `${faults.join(' and ')}.`;
}

/** Never repeats what may be a value. */
function unknown(text: string, hints: boolean): string {
  const [name = ''] = text.slice(0, 40).split('=', 1);
  if (name !== text.slice(0, 40) && optionNamed(name.slice(2)) !== null) {
    return `${name} has its value after an =. curl expects it as the next word.`;
  }
  const known = `curl ${knownVersion} has no option ${name}.`;
  if (!hints) return known;
  const plain = name.replace(/^-+/, '');
  const [nearest] = nearestNames(
    plain,
    curlOptions.map((option) => option.name),
  );
  const isNear = name.startsWith('--') && nearest?.[0] === plain[0];
  return isNear ? `${known} Did you mean --${nearest}?` : known;
}
