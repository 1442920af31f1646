/** A function as Callgrind has counted it. */
export type CountedFunction = {
  /** Null where the binary keeps no name for it. */
  name: string | null;
  /** Base name of its program or library. */
  library: string;
  /** Instructions of its own. */
  own: number;
};

/** Instructions that processes have executed. */
export type Counts = {
  instructions: number;
  /** Base names of the programs that ran. */
  programs: Set<string>;
  /** By keys that are the same in every file. */
  functions: Map<string, CountedFunction>;
  calls: { caller: string; callee: string; instructions: number }[];
};

/**
 * Reads what Callgrind writes, the files of several processes as one. A name follows its number where it comes first, and then the number stands
 * alone; the line after `calls=` has the instructions of the callee with all that it calls.
 * Source: Callgrind Format Specification (https://valgrind.org/docs/manual/cl-format.html). Throws an error for anything else.
 */
export function parseCounts(texts: readonly string[]): Counts {
  const counts: Counts = { instructions: 0, programs: new Set(), functions: new Map(), calls: [] };
  for (const text of texts) {
    const total = /^summary: (\d+)$/m.exec(text)?.[1];
    if (!text.startsWith('# callgrind format\n') || !/^events: Ir$/m.test(text) || total === undefined) {
      throw new Error('not a file of counts as Callgrind writes it');
    }
    counts.instructions += Number(total);
    counts.programs.add(baseName(/^cmd: +(\S+)/m.exec(text)?.[1] ?? ''));
    new FileReader(counts).read(text.slice(text.indexOf('\nsummary:') + 1));
  }
  return counts;
}

type Place = { library: string; key: string | null };

class FileReader {
  readonly #counts: Counts;
  readonly #libraries = new Map<string, string>();
  readonly #names = new Map<string, string>();
  #library = '';
  #key: string | null = null;
  #callee: Place = { library: '', key: null };
  #isCall = false;

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  read(text: string): void {
    for (const line of text.split('\n')) {
      const [, field = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (field !== '') this.#take(field, value);
      else if (/^[+\-*\d]/.test(line)) this.#add(Number(line.split(' ')[1] ?? 0));
    }
  }

  #take(field: string, value: string): void {
    if (field === 'ob') {
      this.#library = baseName(resolve(this.#libraries, value));
      this.#callee = { library: this.#library, key: null };
    } else if (field === 'cob') this.#callee.library = baseName(resolve(this.#libraries, value));
    else if (field === 'fn') this.#key = this.#keyOf(this.#library, value);
    else if (field === 'cfn') this.#callee.key = this.#keyOf(this.#callee.library, value);
    else if (field === 'calls') this.#isCall = true;
  }

  #add(instructions: number): void {
    if (this.#key === null) return;
    if (!this.#isCall) {
      const counted = this.#counts.functions.get(this.#key);
      if (counted !== undefined) counted.own += instructions;
      return;
    }
    const { key: callee } = this.#callee;
    if (callee !== null) this.#counts.calls.push({ caller: this.#key, callee, instructions });
    this.#isCall = false;
    this.#callee = { library: this.#library, key: null };
  }

  /** Deeper calls of itself have a number at their end. */
  #keyOf(library: string, value: string): string {
    const name = resolve(this.#names, value).replace(/'\d+$/, '');
    const key = `${library} ${name}`;
    if (!this.#counts.functions.has(key)) {
      const isNamed = !/^(0x[0-9a-f]+|\?\?\?)$/.test(name);
      this.#counts.functions.set(key, { name: isNamed ? name : null, library, own: 0 });
    }
    return key;
  }
}

/** `(12) name`, and later `(12)`. */
function resolve(known: Map<string, string>, text: string): string {
  const [, number, name = ''] = /^(\(\d+\)) ?(.*)$/.exec(text) ?? [];
  if (number === undefined) return text;
  if (name !== '') known.set(number, name);
  return known.get(number) ?? '???';
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

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

/** Callers of each function, with each one's share of the instructions; none if those are zero. */
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
