import { InvalidArgumentError } from '@commander-js/extra-typings';
import { problem } from '../../../shared/base/problem.ts';
import { listOf } from './verb.ts';

/** Reads the values of options. A mistake is quoted as it was typed; a schema would name the field of the request. */

/** For an option with one number. The verb names the option. */
export function numberIn(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('a number');
  return value;
}

type Counted = { one: string; rule: string; least?: 0 | 1 };

/** For a list of whole numbers. `rule` says in a sentence what they are. Throws invalid_arguments. */
export function countsOf({ one, rule, least = 1 }: Counted): (text: string) => number[] {
  return (text) =>
    listOf(text).map((each) => {
      if (/^\d+$/.test(each) && Number(each) >= least) return Number(each);
      throw problem('invalid_arguments', `"${each}" is not a ${one}. ${rule}`);
    });
}

/** For a name out of some, in whatever case, with or without its hyphens. Throws invalid_arguments. */
export function nameOf<const Name extends string>(
  { one, many }: { one: string; many: string },
  names: readonly Name[],
): (text: string) => Name {
  const all = new Intl.ListFormat('en-US', { type: 'conjunction' }).format(names);
  return (text) => {
    const name = names.find((known) => known === text) ?? names.find((known) => bare(known) === bare(text));
    if (name !== undefined) return name;
    throw problem('invalid_arguments', `"${text}" is not a ${one}. ${many} are ${all}.`);
  };
}

function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, '');
}
