import { Misunderstood } from './meaning.ts';

/** In UTF-16 units, of one text that a test puts together: as much as the body of a request may have. */
const longestText = 2 ** 20;

/** Texts in one. A name may stand for two of the name before it, so what is too long is given up before it is made. */
export function joinTexts(texts: Iterable<string>): string {
  const measure = openTextLimit();
  let joined = '';
  for (const text of texts) joined += measure(text);
  return joined;
}

/** Returns each text, and throws Misunderstood once they are too long together. */
export function openTextLimit(): (text: string) => string {
  let length = 0;
  return (text) => {
    length += text.length;
    if (length > longestText)
      throw new Misunderstood('The text that is put together here is longer than 1 MiB.');
    return text;
  };
}
