import { JSONPathEnvironment, JSONPathRecursionLimitError, type JSONValue } from 'json-p3';

/** A JSON path of a scenario, by RFC 9535. */
export type JsonPath = {
  /** What it leads to, in order. */
  valuesIn(json: unknown): Iterable<unknown>;
};

const environment = new JSONPathEnvironment();
// They run patterns on an engine that a pattern can stall.
environment.functionRegister.delete('match');
environment.functionRegister.delete('search');

const mostDescents = 2;

/** Throws an Error that says what is wrong with the path. */
export function compileJsonPath(source: string): JsonPath {
  if (source.split('..').length - 1 > mostDescents) {
    throw new Error(`a path may use .. at most ${mostDescents} times`);
  }
  const query = environment.compile(source);
  return {
    *valuesIn(json) {
      if (json === undefined) return;
      try {
        for (const node of query.lazyQuery(json as JSONValue)) yield node.value;
      } catch (error) {
        // A response nested deeper than the library descends has nothing there that could be reached.
        if (!(error instanceof JSONPathRecursionLimitError || error instanceof RangeError)) throw error;
      }
    },
  };
}
