import type { CountedFunction, Counts } from './parse-counts.ts';

/** Callers that are tried before instructions stay where they are. */
const mostSteps = 60;

/**
 * Instructions of the functions that are kept, by their keys. Those of any other function go to its nearest callers that are kept, in proportion to what
 * each called for. A function without callers keeps its own.
 */
export function ownCosts(
  { functions, calls }: Counts,
  isKept: (counted: CountedFunction) => boolean,
): Map<string, number> {
  const callers = callersOf(calls);
  const found = new Map<string, number>();
  let moving = new Map<string, number>();
  for (const [key, counted] of functions) {
    if (counted.own > 0) addTo(isKept(counted) ? found : moving, key, counted.own);
  }
  for (let step = 0; step < mostSteps && moving.size > 0; step++) {
    const next = new Map<string, number>();
    for (const [key, cost] of moving) {
      const of = callers.get(key);
      if (of === undefined) addTo(found, key, cost);
      else
        for (const { key: caller, share } of of) {
          const counted = functions.get(caller);
          const isOver = counted === undefined || isKept(counted);
          addTo(isOver ? found : next, caller, cost * share);
        }
    }
    moving = next;
  }
  for (const [key, cost] of moving) addTo(found, key, cost);
  return found;
}

/** Of each function, who called it, with each one's share of the instructions; none where those are zero. */
function callersOf(calls: Counts['calls']): Map<string, { key: string; share: number }[]> {
  const sums = new Map<string, Map<string, number>>();
  for (const { caller, callee, instructions } of calls) {
    if (caller === callee || instructions === 0) continue;
    const of = sums.get(callee) ?? new Map<string, number>();
    addTo(of, caller, instructions);
    sums.set(callee, of);
  }
  return new Map(
    [...sums].map(([callee, of]) => {
      const whole = [...of.values()].reduce((sum, each) => sum + each, 0);
      return [callee, [...of].map(([key, instructions]) => ({ key, share: instructions / whole }))];
    }),
  );
}

function addTo(sums: Map<string, number>, key: string, more: number): void {
  sums.set(key, (sums.get(key) ?? 0) + more);
}
