import { type Apply, applied, refuse } from './applied.ts';
import { ofRun } from './of-run.ts';
import { refused } from './refused.ts';
import { withoutEffect } from './without-effect.ts';

/** All options of this version are known here. Source: its tool_listhelp.c and tool_getparam.c. */
export const knownVersion = '8.17.0';

/** An option of curl's command line. */
export type OptionName = {
  /** Without its dashes. */
  name: string;
  /** The one letter of its short form. */
  letter: string | null;
  takesValue: boolean;
};

type CurlOption = OptionName & { apply: Apply; isRefused: boolean };

/** Every option of curl, and older names of some. */
export const curlOptions: readonly CurlOption[] = [
  ...applied.flatMap(([names, apply]) => named(names, apply)),
  ...ofRun.flatMap(([setting, names]) =>
    named(names, ({ notes }, { name, value, on }) => {
      if (on) notes.add(`${name} ${setting.replaceAll('{}', () => value.slice(0, 100))}`);
    }),
  ),
  ...named(withoutEffect, () => {}),
  ...refused.flatMap(([reason, names]) => named(names, (_, use) => refuse(use, reason), true)),
];

/** Names with spaces between them: `d|data=` is `-d` or `--data` and takes a value, `compressed` does neither. */
function named(names: string, apply: Apply, isRefused = false): CurlOption[] {
  return names
    .trim()
    .split(/\s+/)
    .map((written) => {
      const [, letter = null, name = '', value] = /^(?:(.)\|)?([^=]+)(=)?$/.exec(written) ?? [];
      return { name, letter, takesValue: value !== undefined, apply, isRefused };
    });
}

const byName = new Map(curlOptions.map((option) => [positive(option.name), option]));
const byLetter = new Map(curlOptions.flatMap((option) => (option.letter ? [[option.letter, option]] : [])));

/** `on` is false for a switch that is turned off with `no-`, such as `--no-location`. */
export type FoundOption = { option: CurlOption; on: boolean };

/** @param name without its two dashes */
export function optionNamed(name: string): FoundOption | null {
  const option = byName.get(positive(name));
  if (option === undefined) return /^expand-/.test(name) ? optionNamed('variable') : null;
  const on = !name.startsWith('no-');
  return option.takesValue && !on ? null : { option, on };
}

export function optionOfLetter(letter: string): FoundOption | null {
  const option = byLetter.get(letter);
  return option === undefined ? null : { option, on: true };
}

/** `--no-buffer` is the switch `buffer`, off. */
function positive(name: string): string {
  return name.replace(/^no-/, '');
}
