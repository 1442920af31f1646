/**
 * A text from outside, of that many characters at most. It is cut before a pattern sees it: many patterns take quadratic time, and what is
 * cut after the match was matched whole. Both ends stay, because names are in front, and files, places, and values at the end.
 */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = (most - 1) / 2;
  return `${text.slice(0, Math.ceil(half))}…${text.slice(text.length - Math.floor(half))}`;
}

/** With its first letter in upper case: "other programs" becomes "Other programs". */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** With its first letter in lower case, for the middle of a sentence. */
export function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
