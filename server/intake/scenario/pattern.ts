import { RE2JS } from 're2js';
import { MeteredText } from './metered-text.ts';
import { patternSize } from './pattern-size.ts';

/**
 * A regular expression of a scenario. RE2's rules: time grows with the length of the text and no faster; in return there is no
 * lookahead and no backreference. That alone does not bound it, as each character of the text costs as much as the pattern is
 * large. So both are limited, and their product.
 */
type Pattern = {
  /**
   * The first match's first group, or the whole match where the pattern has no group; null when nothing matches. Throws
   * TooMuchWork when that cannot be told within the limit.
   */
  firstIn(text: string): string | null;
};

/** Before and after it is compiled: a repeat counts as often as it may repeat. */
const mostParts = 1000;

/**
 * What one search may take, some 60 ms: each character costs as much as the pattern has parts, and ten more. Characters that the
 * engine skips, because the pattern begins with literal text, cost nothing.
 */
const mostWork = 3_000_000;
const ofCharacter = 10;

/** For so much the engine has a way that visits each pair of them once. */
const littleWork = 262_144;

/** Throws an Error that says what is wrong with the pattern. */
export function compilePattern(source: string): Pattern {
  if (patternSize(source) > mostParts) throw tooLarge();
  const expression = RE2JS.compile(RE2JS.translateRegExp(source));
  const size = expression.programSize();
  if (size > mostParts) throw tooLarge();
  const group = expression.groupCount() > 0 ? 1 : 0;
  const steps = Math.floor(mostWork / (size + ofCharacter));
  return {
    firstIn(text) {
      const matcher = expression.matcher(size * text.length <= littleWork ? text : metered(text, steps));
      return matcher.find() ? matcher.group(group) : null;
    },
  };
}

/** The engine takes an object for a text, and asks it for what all of them have. */
function metered(text: string, steps: number): string {
  return new MeteredText(text, steps) as unknown as string;
}

function tooLarge(): Error {
  return new Error(
    `the pattern is too large: with its repeats written out it has more than ${mostParts} parts. Use fewer or smaller repeats`,
  );
}
