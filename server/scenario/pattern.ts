import { RE2JS } from 're2js';

/**
 * A regular expression of a scenario. RE2's rules: time grows with the length of the text and no faster, so that no
 * pattern and no response can stall the generator; in return there is no lookahead and no backreference.
 */
export type Pattern = {
  /** The first match's first group, or the whole match where the pattern has no group; null when nothing matches. */
  firstIn(text: string): string | null;
};

/** Throws an Error that says what is wrong with the pattern. */
export function compilePattern(source: string): Pattern {
  const expression = RE2JS.compile(RE2JS.translateRegExp(source));
  const group = expression.groupCount() > 0 ? 1 : 0;
  return {
    firstIn(text) {
      const matcher = expression.matcher(text);
      return matcher.find() ? matcher.group(group) : null;
    },
  };
}
