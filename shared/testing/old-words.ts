/** Words that one of the list of terms has replaced, and the sides' names of the API. */
const oldWords =
  /\b(twins?|launch(?:es|ed|ing)?|epochs?|blocks?|windows?|bursts?|slots?|cells?|arms?|inconclusive|set aside|lockstep|open load|at load|lone|null (?:run|check)s?|overheads?|baselines?|the comparison)\b/gi;

/** Not texts: flags, quoted input, addresses, code, and commands; and terms of TCP and of TLS. */
const notText =
  /npx tls-toll [^\n]*|--[\w-]+|<[^<>\n]*>|"[^"\n]*"|`[^`]*`|\/[\w./{}:-]+|cpu=arm|initial window|Windows|\bNULL\b/g;

/** Old words in a text that people read, each with what is around it. */
export function oldWordsIn(text: string): string[] {
  const read = text.replaceAll(notText, ' ').replaceAll(/\s+/g, ' ');
  return [...read.matchAll(oldWords)].map(({ index }) => read.slice(Math.max(0, index - 50), index + 40));
}
