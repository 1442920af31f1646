/** Without the characters at its ends. A pattern would take long for a text of blanks. */
export function trimmed(text: string, characters: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && characters.includes(text[from] as string)) from += 1;
  while (to > from && characters.includes(text[to - 1] as string)) to -= 1;
  return text.slice(from, to);
}
