/** A sentence without the options of the command line in it, for a page that has a button or a field for each: ` (--ca)`. */
export function withoutOptions(sentence: string): string {
  return sentence.replace(/ \(--[^()]*\)/g, '');
}
