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

/** Of what stands in a group so far, and of what a quantifier that follows would repeat. */
type Sizes = { all: number; last: number };
