import type { CurlSettings, Use } from './settings.ts';

export function isFile(value: string): boolean {
  return value.startsWith('@');
}

/** The text that `@-` reads from a here-document. Refuses any other file and returns null. */
export function readFileValue(settings: CurlSettings, { value, refuse }: Use): string | null {
  const { stdin } = settings;
  if (value !== '@-') refuse('reads a file, which is not imported. Insert its text instead.');
  else if (stdin === null) refuse('reads standard input, which is not imported. Insert its text instead.');
  else if (stdin.faults.length > 0) refuse(`${stdin.faults.join(' and ')}. Insert its text instead.`);
  else {
    settings.stdin = null;
    return stdin.text;
  }
  return null;
}

/** As curl does: a space becomes +; letters, digits and -._~ stay; every other byte of UTF-8 becomes % and two digits. */
export function escapeUrl(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
