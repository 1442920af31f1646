import { Refusal } from './refusal.ts';
import type { Use } from './settings.ts';

/** Throws Refusal for `@name`, which stands for what is in a file, or in standard input for `@-`. */
export function refuseFile({ name, value }: Use): void {
  if (!value.startsWith('@')) return;
  const what = value === '@-' ? 'standard input' : 'a file';
  throw new Refusal(`${name} reads ${what}, which is not imported. Insert its text instead.`);
}

/** As curl does: a space becomes +; letters, digits and -._~ stay; every other byte of UTF-8 becomes % and two digits. */
export function escapeUrl(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
