import type { CostGroup } from '../../../shared/kinds/explain/cost-groups.ts';
import { libraryRules, rules, transparentNames, wholeRules } from './cost-rules.ts';
import type { Frame, Stack } from './stack.ts';

/** Names of a table, the longest beginnings first, so that the closest one decides. */
class NameTable<Value> {
  readonly #exact = new Map<string, Value>();
  readonly #begins = new Map<string, Value>();
  readonly #lengths: number[];

  constructor(entries: Iterable<readonly [name: string, Value]>) {
    for (const [name, value] of entries) {
      const table = name.endsWith('*') ? this.#begins : this.#exact;
      const key = name.replace(/\*$/, '');
      if (!table.has(key)) table.set(key, value);
    }
    this.#lengths = [...new Set([...this.#begins.keys()].map(({ length }) => length))].sort((a, b) => b - a);
  }

  find(name: string): Value | undefined {
    const exact = this.#exact.get(name);
    if (exact !== undefined) return exact;
    for (const length of this.#lengths) {
      const value = length > name.length ? undefined : this.#begins.get(name.slice(0, length));
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

type Side = 'kernel' | 'program';
const sideOf = (source: string): Side => (source === 'kernel' ? 'kernel' : 'program');

function tablesOf(of: typeof rules): Record<Side, NameTable<CostGroup>> {
  const entriesOf = (side: Side) =>
    of
      .filter(({ source }) => sideOf(source) === side)
      .flatMap(({ group, names }) => names.map((name) => [name, group] as const));
  return { kernel: new NameTable(entriesOf('kernel')), program: new NameTable(entriesOf('program')) };
}

const known = tablesOf(rules);
const whole = tablesOf(wholeRules);
const transparent = new NameTable(transparentNames.map((name) => [name, true] as const));

/**
 * What a sample was spent on. Its nearest function that the table knows decides; a function without a name, one in which interrupts come
 * back on, and one that nobody knows belong to their caller. A program's own functions are its application.
 * @param programs base names of the programs that run
 */
export function groupOf(stack: Stack, programs: ReadonlySet<string>): CostGroup {
  const inWhole = stack.find(({ name, library }) => name !== null && whole[inside(library)].find(name));
  if (inWhole?.name != null) return whole[inside(inWhole.library)].find(inWhole.name) ?? 'other';
  let unknownInKernel = false;
  let unnamedOf: CostGroup | null = null;
  for (const frame of stack) {
    const { name, library } = frame;
    const side = inside(library);
    if (name === null) {
      unnamedOf ??= libraryGroup(frame, programs);
      continue;
    }
    if (transparent.find(name)) continue;
    const group = known[side].find(name);
    if (group !== undefined) {
      // An unknown function of the kernel is not the cost of entering it.
      if (group === 'systemCalls' && unknownInKernel) return 'other';
      return group === 'systemCalls' && side === 'program' && unnamedOf !== null ? unnamedOf : group;
    }
    if (side === 'kernel') unknownInKernel = true;
    else if (unnamedOf !== null) return unnamedOf;
    const own = libraryGroup(frame, programs);
    if (own !== null) return unknownInKernel && side !== 'kernel' ? 'other' : own;
  }
  return unnamedOf ?? 'other';
}

function inside(library: string): Side {
  return library === 'kernel' ? 'kernel' : 'program';
}

function libraryGroup({ library }: Frame, programs: ReadonlySet<string>): CostGroup | null {
  if (programs.has(library)) return 'application';
  return libraryRules.find((rule) => rule.library.test(library))?.group ?? null;
}
