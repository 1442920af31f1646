const spaceBeforeUnit = /(?<=\d) (?=(?:%|µs|ms|s|[kMG]?B|cores?)(?!\w))/g;

/** A sentence whose figures do not lose their unit to the next line. */
export function keepUnits(sentence: string): string {
  return sentence.replace(spaceBeforeUnit, '\u00a0');
}
