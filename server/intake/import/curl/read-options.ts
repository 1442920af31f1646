import { nearestNames } from '../../../base/text/known-name.ts';
import { ImportProblem } from './import-problem.ts';
import {
  curlOptions,
  type FoundOption,
  knownVersion,
  optionNamed,
  optionOfLetter,
} from './options/curl-options.ts';
import { type CurlSettings, emptySettings } from './settings.ts';
import type { Word } from './shell/shell-command.ts';

/**
 * The settings in the words after `curl`: one for each part between --next. The value of an option is never taken for an
 * address. Throws ImportProblem.
 *
 * @param jars files in which earlier commands keep their cookies; those of this one are added
 */
export function readOptions(words: readonly Word[], jars: Set<string>): CurlSettings[] {
  let settings = emptySettings(jars);
  const all = [settings];
  const rest = words.values();
  let endsOptions = false;
  for (const { text } of rest) {
    if (endsOptions || !text.startsWith('-')) settings.addresses.push(text);
    else if (text === '--') endsOptions = true;
    else if (text.startsWith('--')) apply(text, optionNamed(text.slice(2)) ?? unknown(text), null);
    else readShort(text);
  }
  return all;

  /** `-sSL` is three options, and `-XPOST` one with its value. */
  function readShort(text: string): void {
    for (let at = 1; at < Math.max(2, text.length); at++) {
      const name = `-${text[at] ?? ''}`;
      const found = optionOfLetter(text[at] ?? '') ?? unknown(name);
      const attached = found.option.takesValue && at + 1 < text.length;
      apply(name, found, attached ? text.slice(at + 1) : null);
      if (attached) return;
    }
  }

  function apply(name: string, { option, on }: FoundOption, attached: string | null): void {
    // One that is refused says why, with its value or without.
    const isRead = option.takesValue && !option.isRefused;
    const value = isRead ? (attached ?? rest.next().value?.text) : '';
    if (value === undefined) throw new ImportProblem(`${name} has no value.`);
    if (option.name === 'next') begin();
    else option.apply(settings, { value, on, name });
  }

  function begin(): void {
    if (settings.addresses.length === 0) throw new ImportProblem('There is no address before --next.');
    settings = emptySettings(jars);
    all.push(settings);
  }
}

/** Never repeats what may be a value. */
function unknown(text: string): never {
  const [name = ''] = text.slice(0, 40).split('=', 1);
  if (name !== text.slice(0, 40) && optionNamed(name.slice(2)) !== null) {
    throw new ImportProblem(`${name} has its value after an =. curl expects it as the next word.`);
  }
  const names = curlOptions.map((option) => option.name);
  const [nearest] = nearestNames(name.replace(/^-+/, ''), names);
  const isNear = name.startsWith('--') && nearest?.[0] === name[2];
  const hint = isNear ? ` Did you mean --${nearest}?` : '';
  throw new ImportProblem(`curl ${knownVersion} has no option ${name}.${hint}`);
}
