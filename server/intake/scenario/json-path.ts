import { JSONPathEnvironment, JSONPathQuery, JSONPathRecursionLimitError, type JSONValue } from 'json-p3';
import { TooMuchWork } from './pattern.ts';

/** A JSON path of a scenario, by RFC 9535. */
type JsonPath = {
  /** What it leads to, in order. Throws TooMuchWork. */
  valuesIn(json: unknown): Iterable<unknown>;
};

const environment = new JSONPathEnvironment();
// They run patterns on an engine that a pattern can stall.
environment.functionRegister.delete('match');
environment.functionRegister.delete('search');

const mostDescents = 2;
/**
 * Values that one search may come by, about half a second: a filter in a filter, and `[0,0]` that is repeated, come by one
 * value many times.
 */
const mostValues = 500_000;

/** Throws an Error that says what is wrong with the path. */
export function compileJsonPath(source: string): JsonPath {
  if (source.split('..').length - 1 > mostDescents) {
    throw new Error(`a path may use .. at most ${mostDescents} times`);
  }
  const query = environment.compile(source);
  const meter = { left: 0 };
  for (const { segments } of queriesIn(query)) meterSegments(segments, meter);
  return {
    *valuesIn(json) {
      if (json === undefined) return;
      meter.left = mostValues;
      try {
        for (const node of query.lazyQuery(json as JSONValue)) yield node.value;
      } catch (error) {
        // A response nested deeper than the library descends has nothing there that could be reached.
        if (!(error instanceof JSONPathRecursionLimitError || error instanceof RangeError)) throw error;
      }
    },
  };
}

/** The query itself, and those of its filters. Throws for one that looks at the whole document again for each value. */
function queriesIn(query: JSONPathQuery): JSONPathQuery[] {
  const found: JSONPathQuery[] = [];
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || part === environment) return;
    if (part instanceof JSONPathQuery) found.push(part);
    else if ('path' in part && part.path instanceof JSONPathQuery && String(part).startsWith('$')) {
      throw new Error('a filter begins with @: $ would look at the whole response for each value');
    }
    for (const inner of Object.values(part)) look(inner);
  };
  look(query);
  return found;
}

/** Counts what its selectors are given and what they select. */
function meterSegments(segments: JSONPathQuery['segments'], meter: { left: number }): void {
  for (const selector of segments.flatMap(({ selectors }) => selectors)) {
    const resolve = selector.resolve.bind(selector);
    selector.resolve = (node) => {
      const selected = resolve(node);
      meter.left -= 1 + selected.length;
      if (meter.left < 0) throw new TooMuchWork('the response is too large for the path');
      return selected;
    };
  }
}
