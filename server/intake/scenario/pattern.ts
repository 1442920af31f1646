import { RE2JS } from 're2js';
import { cut } from '../../../shared/base/cut.ts';
import { Reason } from '../../base/text/foreign-errors.ts';

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
 * Limit of one search, some 60 ms: each character costs as much as the pattern has parts, and ten more. Characters that the engine skips,
 * because the pattern begins with literal text, cost nothing.
 */
const mostWork = 3_000_000;
const ofCharacter = 10;

/** For so much the engine has a way that visits each pair of them once. */
const littleWork = 262_144;

/** Throws a Reason that says what is wrong with the pattern. */
export function compilePattern(source: string): Pattern {
  if (patternSize(source) > mostParts) throw tooLarge();
  const expression = compiled(source);
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

function compiled(source: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch (error) {
    const { input } = Object(error) as { input?: unknown };
    const near = typeof input === 'string' && input !== '' ? ` near “${cut(input, 40)}”` : '';
    throw new Reason(
      `the pattern has a mistake${near}. It is read by the rules of RE2, which has no lookahead and no backreference`,
      { cause: error },
    );
  }
}

/** The engine takes an object for a text, and asks it for what all of them have. */
function metered(text: string, steps: number): string {
  return new MeteredText(text, steps) as unknown as string;
}

function tooLarge(): Reason {
  return new Reason(
    `the pattern is too large: with its repeats written out it has more than ${mostParts} parts. Use fewer or smaller repeats`,
  );
}

/** A backslash with what belongs to it, a class, a quantifier, or one character. */
const tokens =
  /\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\Q.*?(?:\\E|$)|\\[\s\S]?|\[\^?\]?(?:\\[\s\S]|\[:[a-z]{1,9}:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|[\s\S]/g;

/** Unicode’s classes have hundreds of ranges. Where several stand side by side, they are merged. */
const unicodeClass = /\\[pP]/;
const moreForClass = 9;

/**
 * How many parts a pattern has once its repeats are written out. It is known before the pattern is compiled, which takes
 * seconds for a large one. Where the engine refuses a pattern, any number.
 */
export function patternSize(source: string): number {
  const groups: Sizes[] = [];
  let group: Sizes = { all: 0, last: 0 };
  let classes = 0;
  for (const [token, min, max] of source.matchAll(tokens)) {
    if (min !== undefined) {
      const repeated = group.last * Math.max(1, Number(min), Number(max ?? 0));
      group = { all: group.all - group.last + repeated, last: repeated };
    } else if (token === '(') {
      groups.push(group);
      group = { all: 0, last: 0 };
    } else if (token === ')') {
      const size = group.all + 2;
      group = { all: (groups.pop()?.all ?? 0) + size, last: size };
    } else if (!/^[*+?]$/.test(token)) {
      const size = token.startsWith('\\Q') ? token.length : 1;
      group = { all: group.all + size, last: size };
      if (unicodeClass.test(token)) classes++;
    }
  }
  return group.all + classes * moreForClass;
}

/** Size of a group so far, and of the part that a quantifier would repeat. */
type Sizes = { all: number; last: number };

const tooLong =
  'the text is too long for the pattern. Let the pattern begin with literal text, and have fewer repeats';

/** A text that gives out a limited number of characters. */
class MeteredText extends String {
  #left: number;

  constructor(text: string, characters: number) {
    super(text);
    this.#left = characters;
  }

  /** Throws TooMuchWork when none is left. */
  override charCodeAt(index: number): number {
    if (this.#left-- <= 0) throw new TooMuchWork(tooLong);
    return super.charCodeAt(index);
  }
}

/** A search went beyond its limit. */
export class TooMuchWork extends Error {
  override name = 'TooMuchWork';
}

/**
 * JSON whose whole numbers beyond 2^53 stay as they are written, such as the ids that many databases hand out: as a number of
 * JavaScript 1234567890123456789 is …6800. Source: TC39, JSON.parse source text access.
 */
type LargeNumber = { readonly rawJSON: string };

const exactJson = JSON as typeof JSON & {
  rawJSON(text: string): LargeNumber;
  isRawJSON(value: unknown): value is LargeNumber;
};

/** Throws as `JSON.parse` does, and a RangeError for what is nested too deeply. */
export function parseExactly(text: string): unknown {
  // Most texts have no such number, and are read in a quarter of the time.
  return /\d{16}/.test(text) ? JSON.parse(text, keepLarge) : JSON.parse(text);
}

function keepLarge(_key: string, value: unknown, context?: { source: string }): unknown {
  const isLarge = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLarge && context !== undefined ? exactJson.rawJSON(context.source) : value;
}

export function isLargeNumber(value: unknown): value is LargeNumber {
  return exactJson.isRawJSON(value);
}

/** A text or a number as it is written; null for anything else. */
export function textOfLeaf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return isLargeNumber(value) ? value.rawJSON : null;
}
